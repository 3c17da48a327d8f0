internal import CLibAV

/// The grading of high dynamic range pictures: the display on which they were mastered (SMPTE ST 2086), and
/// their light levels (CTA-861.3).
public struct LightMetadata: Hashable, Sendable {
  /// libav's `AVMasteringDisplayMetadata`, byte for byte; empty if unknown.
  private var mastering: [UInt8] = []
  /// libav's `AVContentLightMetadata`, byte for byte; empty if unknown.
  private var level: [UInt8] = []

  /// Reads the metadata attached to `stream`; `nil` if there is none.
  init?(of stream: UnsafePointer<AVStream>) {
    func bytes(_ type: AVPacketSideDataType) -> [UInt8] {
      let attached = clibav_side_data(stream, type)
      return Array(
        UnsafeRawBufferPointer(start: attached.data, count: attached.data == nil ? 0 : attached.size))
    }
    mastering = bytes(AV_PKT_DATA_MASTERING_DISPLAY_METADATA)
    level = bytes(AV_PKT_DATA_CONTENT_LIGHT_LEVEL)
    guard isKnown else { return nil }
  }

  /// Reads the metadata that the decoder found in `picture`; `nil` if there is none.
  init?(of picture: Picture) {
    func bytes(_ type: AVFrameSideDataType) -> [UInt8] {
      av_frame_get_side_data(picture.frame, type).map {
        Array(UnsafeRawBufferPointer(start: $0.pointee.data, count: $0.pointee.size))
      } ?? []
    }
    mastering = bytes(AV_FRAME_DATA_MASTERING_DISPLAY_METADATA)
    level = bytes(AV_FRAME_DATA_CONTENT_LIGHT_LEVEL)
    guard isKnown else { return nil }
  }

  private var isKnown: Bool { !mastering.isEmpty || !level.isEmpty }

  private var display: AVMasteringDisplayMetadata? {
    guard mastering.count >= MemoryLayout<AVMasteringDisplayMetadata>.size else { return nil }
    return mastering.withUnsafeBytes { $0.loadUnaligned(as: AVMasteringDisplayMetadata.self) }
  }

  /// The brightest light, in candela per square metre: that of the brightest pixel (MaxCLL), but no more than
  /// the mastering display has. Statements that no picture in PQ can satisfy, such as 0, are ignored; `nil` if
  /// there is no other.
  package var peak: Double? {
    var stated = [Double(contentLight?.MaxCLL ?? 0)]
    if let display, display.has_luminance != 0, display.max_luminance.den > 0 {
      stated.append(Double(display.max_luminance.num) / Double(display.max_luminance.den))
    }
    return stated.filter(Self.peaks.contains).min()
  }

  /// The brightest light that a picture in PQ may have: from the white of the standard range to PQ's end.
  private static let peaks = 100.0...10_000

  private var contentLight: AVContentLightMetadata? {
    guard level.count >= MemoryLayout<AVContentLightMetadata>.size else { return nil }
    return level.withUnsafeBytes { $0.loadUnaligned(as: AVContentLightMetadata.self) }
  }

  /// Attaches it to `stream`, for containers that can hold it. Returns `false` if memory runs out.
  func attach(to stream: UnsafeMutablePointer<AVStream>) -> Bool {
    for (type, bytes) in [
      (AV_PKT_DATA_MASTERING_DISPLAY_METADATA, mastering), (AV_PKT_DATA_CONTENT_LIGHT_LEVEL, level),
    ] where !bytes.isEmpty {
      guard let data = clibav_new_side_data(stream, type, bytes.count) else { return false }
      UnsafeMutableRawBufferPointer(start: data, count: bytes.count).copyBytes(from: bytes)
    }
    return true
  }

  /// Returns the parameters for libx264 and libx265, which use different names, each preceded by a colon.
  func parameters(mastering masteringName: String, light levelName: String) -> String {
    // Chromaticities are in steps of 0.00002, luminances in steps of 0.0001 candela per square metre.
    func steps(_ number: AVRational, _ perUnit: Int64) -> String? {
      guard number.num >= 0, number.den > 0 else { return nil }
      let steps = (Int64(number.num) * perUnit + Int64(number.den) / 2) / Int64(number.den)
      return Int32(exactly: steps).map(String.init)
    }
    func point(_ name: String, _ place: (AVRational, AVRational)) -> String? {
      guard let x = steps(place.0, 50_000), let y = steps(place.1, 50_000) else { return nil }
      return "\(name)(\(x),\(y))"
    }
    var words = ""
    if let display, display.has_primaries != 0, display.has_luminance != 0,
      let red = point("R", display.display_primaries.0), let green = point("G", display.display_primaries.1),
      let blue = point("B", display.display_primaries.2), let white = point("WP", display.white_point),
      let most = steps(display.max_luminance, 10_000), let least = steps(display.min_luminance, 10_000)
    {
      words += ":\(masteringName)=\(green)\(blue)\(red)\(white)L(\(most),\(least))"
    }
    if let told = contentLight {
      words += ":\(levelName)=\(min(told.MaxCLL, 65535)),\(min(told.MaxFALL, 65535))"
    }
    return words
  }
}
