import CameraModel
import Synchronization
internal import CV4LConvert

/// A decoder of what webcams of the years before 2010 compress, by libv4lconvert. Use from one thread at a time.
///
/// libv4lconvert's decoders trust the camera. Most do not even know where a frame ends, and read on until the picture is
/// full. So a frame is copied to memory that goes on with zeros for longer than any of them can read, and the picture to
/// memory that goes on for longer than any can write. What this does not cover is checked first, or not decoded at all:
/// docs/formats.md lists the formats that this leaves out.
struct WebcamDecoder: ~Copyable {
  /// V4L2's codes of the formats.
  static let codes = ["S910", "SONX", "P207", "M310", "905C", "S401", "JPGL", "PJPG"]

  private let format: PixelFormat
  private let width: Int
  private let height: Int
  private var frame: [UInt8]
  private var pixels: [UInt8]

  /// The decoders share tables and state.
  private static let sharedState = Mutex(())

  /// The zeros after a frame. No code takes more than 4 bytes per pixel, and zeros are codes of a pixel or end the frame.
  private var margin: Int { 4 * width * height + 1 << 17 }

  /// Creates a decoder of the format that V4L2 calls `fourcc`; `nil` if no webcam has frames of this size.
  init?(fourcc: String, width: Int, height: Int) {
    guard let format = PixelFormat(fourcc: fourcc), Self.codes.contains(fourcc), (16...2048).contains(width),
      (16...2048).contains(height), width % 16 == 0, height % 8 == 0
    else { return nil }
    self.format = format
    self.width = width
    self.height = height
    frame = []
    // A packet of S401 adds up to 8192 samples before the decoder sees that they are too many.
    pixels = [UInt8](repeating: 0, count: 3 * width * height + 1 << 17)
  }

  /// Decodes one frame to `picture`, which has its size and bytes of red, green and blue. Returns `false` if it is damaged
  /// beyond what the decoder accepts.
  mutating func decode(_ bytes: UnsafeRawBufferPointer, to picture: Picture) -> Bool {
    // No compressed frame is larger than that.
    let bytes = UnsafeRawBufferPointer(rebasing: bytes.prefix(4 * width * height + 1 << 16))
    let isTurned: Bool
    switch format.description {
    case "P207":
      guard Self.beginsWithOwnRows(bytes, width: width) else { return false }
      isTurned = false
    case "PJPG":
      guard let size = Self.size(ofPixart: bytes) else { return false }
      isTurned = size == (height, width) && width != height
      guard isTurned || size == (width, height) else { return false }
    default: isTurned = false
    }
    frame.removeAll(keepingCapacity: true)
    frame.append(contentsOf: bytes)
    frame.append(contentsOf: repeatElement(0, count: margin))
    let result = Self.sharedState.withLock { _ in
      cv4lconvert_decode(
        format.rawValue, Int32(isTurned ? height : width), Int32(isTurned ? width : height), &frame,
        bytes.count,
        &pixels)
    }
    guard result == 0, let base = picture.planeBases[0] else { return false }
    let stride = Int(picture.planeStrides[0])
    for row in 0..<height {
      for column in 0..<width {
        let source = 3 * (isTurned ? (width - 1 - column) * height + row : row * width + column)
        let target = base + row * stride + 3 * column
        (target[0], target[1], target[2]) = (pixels[source], pixels[source + 1], pixels[source + 2])
      }
    }
    return true
  }

  /// Returns whether neither of the first two rows of a PAC207's frame is a copy of the row two above it, which the
  /// decoder would take from before the picture's memory.
  private static func beginsWithOwnRows(_ bytes: UnsafeRawBufferPointer, width: Int) -> Bool {
    func kind(at place: Int) -> UInt16? {
      place + 2 <= bytes.count ? UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1]) : nil
    }
    let copy: UInt16 = 0x4bb4
    guard let first = kind(at: 0), first != copy else { return false }
    let valueBits: Int
    switch first {
    case 0x0ff0: return kind(at: 2 + width) != copy
    case 0x1ee1: valueBits = 6
    case 0x2dd2: valueBits = 5
    case 0x3cc3: valueBits = 4
    default: return false
    }
    // The mark and two samples, then a code for each sample: the number of its leading ones tells its length.
    var bits = 32
    for _ in 2..<width {
      let (place, shift) = (bits / 8, bits % 8)
      guard place + 1 < bytes.count else { return true }
      let code = UInt8(
        truncatingIfNeeded: (UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1])) >> (8 - shift))
      bits += [2, 2, 4, 5, 6, 5 + valueBits][min((~code).leadingZeroBitCount, 5)]
    }
    return kind(at: (bits + 15) / 16 * 2) != copy
  }

  /// Returns the size in the head of a Pixart webcam's JPEG, which the kernel's driver writes; `nil` if the head is another:
  /// the decoder would use numbers from it unchecked.
  private static func size(ofPixart bytes: UnsafeRawBufferPointer) -> (width: Int, height: Int)? {
    let start: [UInt8] = [0xff, 0xd8, 0xff, 0xc0, 0, 17, 8]
    let rest: [UInt8] = [
      3, 1, 0x21, 0, 2, 0x11, 1, 3, 0x11, 1, 0xff, 0xda, 0, 12, 3, 1, 0, 2, 0x11, 3, 0x11, 0, 63, 0,
    ]
    guard bytes.count > start.count + 4 + rest.count, bytes.starts(with: start),
      bytes.dropFirst(start.count + 4).starts(with: rest)
    else { return nil }
    return (Int(bytes[9]) << 8 | Int(bytes[10]), Int(bytes[7]) << 8 | Int(bytes[8]))
  }
}
