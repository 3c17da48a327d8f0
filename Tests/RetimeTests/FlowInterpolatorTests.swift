import Foundation
import Testing

@testable import Media
@testable import Retime

@Suite("Frames from optical flow") struct FlowInterpolatorTests {
  /// Waves that move with picture `number`.
  private func picture(_ number: Int) throws -> Picture {
    var pool = PicturePool()
    let picture = try pool.picture(layout: .yuv420p, width: 96, height: 64, color: .jpeg)
    for (plane, geometry) in try #require(picture.layout.planes(width: 96, height: 64)).enumerated() {
      let base = try #require(picture.planeBases[plane])
      let step = plane == 0 ? 1.0 : 2.0
      for row in 0..<geometry.rows {
        for column in 0..<geometry.bytesPerRow {
          let (x, y) = (Double(column) * step - 3 * Double(number), Double(row) * step + Double(number))
          base[row * Int(picture.planeStrides[plane]) + column] = UInt8(
            128 + 60 * sin(x / 6) * cos(y / 7) + 40 * sin(x / 13 + y / 11))
        }
      }
    }
    return picture
  }

  private func bytes(_ picture: Picture) throws -> [[UInt8]] {
    let planes = try #require(picture.layout.planes(width: picture.width, height: picture.height))
    return planes.indices.map { plane in
      (0..<planes[plane].rows).flatMap {
        picture.withRow($0, plane: plane) { row in row.indices.map { row[$0] } }
      }
    }
  }

  /// A call of an interpolator.
  private enum Call {
    case expect(Int, Int)
    case make(Int, Int)
  }

  @Test("are the same, whatever was prepared before")
  func expectations() async throws {
    let pictures = try (0..<6).map(picture)
    let calls: [Call] = [
      // In order, as frames come; a pair that was not expected; one that is not needed in the end; and a
      // repeated one.
      .expect(0, 1), .expect(1, 2), .make(0, 1), .make(0, 1), .expect(2, 3), .make(1, 2), .make(2, 3),
      .make(3, 5), .expect(0, 5), .expect(4, 5), .expect(1, 2), .make(4, 5), .make(1, 2), .make(0, 1),
      .make(1, 2),
    ]
    let flow = FlowInterpolator()
    for call in calls {
      switch call {
      case .expect(let last, let next): try flow.expect(pictures[last], pictures[next])
      case .make(let last, let next):
        for share in [64, 200] {
          let made = try await flow.frame(between: pictures[last], and: pictures[next], share: share)
          let alone = try await FlowInterpolator().frame(
            between: pictures[last], and: pictures[next], share: share)
          #expect(made.heldPart == alone.heldPart && alone.heldPart < 1)
          #expect(try bytes(made.picture) == bytes(alone.picture), "\(last) to \(next) at \(share)")
        }
      }
    }
  }
}
