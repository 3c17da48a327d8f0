import CameraModel

/// The agreement of host and camera on a stream: the probe and commit controls ("Video Devices" 1.1,
/// 4.3.1.1).
struct StreamNegotiation {
  /// A stream's format and size, as their numbers in the descriptors from 1, and its interval in units of 100
  /// ns.
  struct Choice: Equatable {
    var format: Int
    var size: Int
    var interval: UInt32
  }

  private let model: CameraModel
  private var probed: Choice
  /// The committed values; the first mode until then.
  private(set) var committed: Choice

  init(of model: CameraModel) {
    self.model = model
    probed = Choice(format: 1, size: 1, interval: model.formats[0].sizes[0].intervals[0])
    committed = probed
  }

  /// The committed format and size.
  var mode: (format: PixelFormat, size: CameraModel.Size) {
    let format = model.formats[committed.format - 1]
    return (format.pixelFormat, format.sizes[committed.size - 1])
  }

  /// Answers a request for the probe (selector 1) or commit control (2); `nil` if there is no such control.
  mutating func answer(_ request: UInt8, selector: UInt8, data: [UInt8]) -> [UInt8]? {
    guard selector == 1 || selector == 2 else { return nil }
    switch request {
    case ClassRequest.setCurrent:
      guard data.count >= 26 else { return nil }
      probed = nearest(
        Choice(format: Int(data[2]), size: Int(data[3]), interval: data.little(UInt32.self, at: 4)))
      if selector == 2 { committed = probed }
      return []
    case ClassRequest.getCurrent, ClassRequest.getDefault: return bytes(probed)
    case ClassRequest.getMinimum: return bytes(probed, atEnd: { $0.first })
    case ClassRequest.getMaximum: return bytes(probed, atEnd: { $0.last })
    case ClassRequest.getLength: return [34, 0]
    case ClassRequest.getInformation: return [0b11]
    default: return nil
    }
  }

  /// The camera's answer to a proposal: the nearest interval that the size has.
  private func nearest(_ wish: Choice) -> Choice {
    let format = min(max(wish.format, 1), model.formats.count)
    let sizes = model.formats[format - 1].sizes
    let size = min(max(wish.size, 1), sizes.count)
    let interval = sizes[size - 1].intervals.min {
      $0.distance(to: wish.interval).magnitude < $1.distance(to: wish.interval).magnitude
    }
    return Choice(format: format, size: size, interval: interval ?? 333_333)
  }

  private func bytes(_ choice: Choice, atEnd end: ([UInt32]) -> UInt32? = { _ in nil }) -> [UInt8] {
    let size = model.formats[choice.format - 1].sizes[choice.size - 1]
    var bytes: [UInt8] = [1, 0, UInt8(choice.format), UInt8(choice.size)]
    bytes.append(little: end(size.intervals) ?? choice.interval)
    bytes += [UInt8](repeating: 0, count: 10)  // Key frames, quality and delay: they do not apply.
    bytes.append(little: size.largestFrame)
    bytes.append(little: Layout.payloadSize)
    bytes.append(little: UInt32(48_000_000))
    return bytes + [3, 1, 1, 1]  // Each payload marks its frame, and its frame's end.
  }
}
