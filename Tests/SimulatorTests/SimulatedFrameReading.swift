import CameraModel
import Cameras
import CTurboJPEG
import Simulator
import Testing

/// The brightness of a picture, one byte a pixel.
struct LumaPicture: Equatable {
  var width: Int
  var height: Int
  var samples: [UInt8]

  var stripNumber: UInt32? { FrameStrip.number(inLuma: samples.span, stride: width, width: width) }

  /// The rows from `top` on.
  func below(_ top: Int) -> ArraySlice<UInt8> { samples[(top * width)...] }
}

extension LumaPicture {
  /// Reads luma, or green if there is none, from a frame without padding.
  init(raw bytes: [UInt8], format: PixelFormat, width: Int, height: Int) {
    let pairs = (width + 1) / 2
    let samples = (0..<width * height).map { index in
      let (x, y) = (index % width, index / width)
      return switch format {
      case .yuyv: bytes[y * pairs * 4 + x * 2]
      case .uyvy: bytes[y * pairs * 4 + x * 2 + 1]
      case .rgb24, .bgr24: bytes[(y * width + x) * 3 + 1]
      default: bytes[y * width + x]
      }
    }
    self.init(width: width, height: height, samples: samples)
  }

  /// Decodes a JPEG; a warning of the decoder fails the test.
  init(jpeg: [UInt8], location: SourceLocation = #_sourceLocation) throws {
    let decompressor = try #require(tjInitDecompress(), sourceLocation: location)
    defer { tjDestroy(decompressor) }
    var (width, height, subsampling, colorspace) = (Int32(0), Int32(0), Int32(0), Int32(0))
    #expect(
      tjDecompressHeader3(
        decompressor, jpeg, UInt(jpeg.count), &width, &height, &subsampling, &colorspace) == 0,
      sourceLocation: location)
    #expect(subsampling == Int32(TJSAMP_422.rawValue), sourceLocation: location)
    var samples = [UInt8](repeating: 0, count: Int(width * height))
    let status = tjDecompress2(
      decompressor, jpeg, UInt(jpeg.count), &samples, width, width, height, Int32(TJPF_GRAY.rawValue), 0)
    #expect(status == 0, "\(String(cString: tjGetErrorStr2(decompressor)))", sourceLocation: location)
    self.init(width: Int(width), height: Int(height), samples: samples)
  }

  /// Reads a frame of a simulated camera of any format.
  init(
    frame bytes: [UInt8], format: PixelFormat, width: Int, height: Int,
    location: SourceLocation = #_sourceLocation
  ) throws {
    if format == .mjpeg {
      try self.init(jpeg: bytes, location: location)
    } else {
      self.init(raw: bytes, format: format, width: width, height: height)
    }
  }
}

extension SimulatedPicture {
  /// The bytes of frame `number`.
  mutating func bytes(of number: UInt32) -> [UInt8] {
    var bytes: [UInt8] = []
    compose(frame: number) { frame in bytes = frame.withUnsafeBufferPointer { Array($0) } }
    return bytes
  }
}

extension Frame {
  /// A copy of the frame's bytes.
  borrowing func bytes() -> [UInt8] {
    let count = byteCount
    var bytes = [UInt8](repeating: 0, count: count)
    bytes.withUnsafeMutableBytes { buffer in
      if let base = buffer.baseAddress { copyBytes(to: base) }
    }
    return bytes
  }
}

struct Size: Sendable, CustomTestStringConvertible {
  var width: Int
  var height: Int

  init(_ width: Int, _ height: Int) { (self.width, self.height) = (width, height) }

  var testDescription: String { "\(width)x\(height)" }
}
