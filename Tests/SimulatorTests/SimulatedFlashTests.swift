import CameraModel
import Testing
import Timebase

@testable import Simulator

@Suite("A flash before a simulated camera")
struct SimulatedFlashTests {
  private static func flashed(
    _ faults: String, rate: Int64 = 100, height: Int = 96, frames: Range<Int64> = 0..<30
  ) throws -> [Int64: [Range<Int>]] {
    let schedule = SensorSchedule(
      startNanoseconds: 0, interval: Fraction(1, rate), faults: try SimulatedFaults(text: faults),
      epochNanoseconds: 0)
    let rows = frames.map { ($0, schedule.flashedRows(of: $0, height: height)) }
    return Dictionary(uniqueKeysWithValues: rows.filter { !$0.1.isEmpty })
  }

  @Test("whitens the frame that is exposed then, if all rows are exposed at once")
  func global() throws {
    #expect(try Self.flashed("phase=0s,flash=55ms") == [5: [0..<96]])
    #expect(try Self.flashed("phase=0s,flash=50ms,flash=59999us") == [5: [0..<96, 0..<96]])
    #expect(try Self.flashed("phase=3ms,flash=50ms,flash=200ms") == [4: [0..<96], 19: [0..<96]])
    #expect(try Self.flashed("phase=3ms,flash=2ms").isEmpty)
    #expect(try Self.flashed("phase=0s,flash=1s", rate: 240, frames: 230..<250) == [240: [0..<96]])
  }

  @Test("whitens the rows that are exposed then, each once, if they start one after another")
  func rolling() throws {
    #expect(try Self.flashed("phase=0s,flash=55ms,rows=100us") == [5: [0..<51], 4: [51..<96]])
    // A flash at the very start of a row is seen by that row.
    #expect(
      try Self.flashed("phase=0s,flash=55001us,rows=1ms") == [
        5: [0..<6], 4: [6..<16], 3: [16..<26],
        2: [26..<36], 1: [36..<46], 0: [46..<56],
      ])
  }

  @Test("comes at its true time, whatever the camera's clock says")
  func trueTime() throws {
    // Frame 2001 of a camera that is 0.05 % fast starts after exactly 20 seconds; its timestamp is 21.01 s.
    let rows = try Self.flashed("phase=0s,ppm=500,flash=20s,rows=100us,stamp=1s", frames: 1990..<2010)
    #expect(rows == [2001: [0..<1], 2000: [1..<96]])
  }

  @Test("misses frames of which a stall keeps the sensor", arguments: ["phase=0s,stall=1s@5,flash=500ms"])
  func stalled(faults: String) throws { #expect(try Self.flashed(faults).isEmpty) }

  @Test(
    "whitens exactly those rows of the picture, except for strip and number",
    arguments: SimulatedPicture.formats)
  func picture(format: PixelFormat) throws {
    let (width, height) = (320, 180)
    var conditions = SceneConditions()
    var plain = try SimulatedPicture(format: format, width: width, height: height, conditions: conditions)
    conditions.hasFlashes = true
    var flashed = try SimulatedPicture(format: format, width: width, height: height, conditions: conditions)
    for white in [0..<180, 100..<103, 110..<131, 0..<96, 171..<180] {
      let dark = try LumaPicture(
        frame: plain.bytes(of: 77), format: format, width: width, height: height)
      var bytes: [UInt8] = []
      flashed.compose(frame: 77, white: [white]) { frame in
        bytes = frame.withUnsafeBufferPointer { Array($0) }
      }
      #expect(bytes.count <= flashed.largestFrame)
      let lit = try LumaPicture(frame: bytes, format: format, width: width, height: height)
      #expect(lit.stripNumber == 77)
      for row in 0..<height {
        let mean = { (picture: LumaPicture) in
          Double(picture.samples[row * width..<(row + 1) * width].reduce(0) { $0 + Int($1) }) / Double(width)
        }
        if white.contains(row), row >= 80 {
          #expect(mean(lit) > 225, "row \(row) of \(white)")
        } else {
          #expect((mean(lit) - mean(dark)).magnitude < 12, "row \(row) of \(white)")
        }
      }
    }
    // The next frame has no trace of it.
    #expect(flashed.bytes(of: 78) == plain.bytes(of: 78))
  }

  @Test("is in the frames that the camera sends", arguments: [PixelFormat.mjpeg, .grey])
  func stream(format: PixelFormat) throws {
    let frames = try SimulatedStreamTests.captured(8, "phase=0s,flash=55ms", format: format)
    let light = try frames.map { frame in
      let picture = try LumaPicture(frame: frame.bytes, format: format, width: 256, height: 96)
      return Double(picture.below(80).reduce(0) { $0 + Int($1) }) / Double(16 * 256)
    }
    #expect(light.indices.filter { light[$0] > 220 } == [5])
  }
}
