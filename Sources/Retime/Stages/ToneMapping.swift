import Media
import Platform
import SystemPackage

/// The treatment of a high dynamic range (HLG or PQ). Without this stage, it is kept if the clip's codec can hold
/// it, and otherwise mapped.
///
/// It maps pictures that have the clip's size, before they are turned and before all stages that change them.
/// Other sources stay as they are.
public enum ToneMapping: String, PictureStage, CaseIterable {
  /// It becomes the standard range, BT.709 in 8 bits, by the tone curve of BT.2390.
  case sdr
  /// It is kept, with its grading.
  case keep

  /// The stage's key in the description of a clip.
  public static var name: String { "tone" }

  /// Returns the table that maps the pictures of a source; `nil` if they keep their range.
  ///
  /// - Parameters:
  ///   - wanted: the requested treatment; `nil` for the usual one.
  ///   - video: the source.
  ///   - codec: the clip's codec.
  ///   - path: the source's file.
  /// - Throws: `unsupported` if the range is to be kept by a codec of 8 bits.
  static func table(
    _ wanted: ToneMapping?, for video: VideoTrack, in codec: VideoEncoder.Kind, _ path: FilePath
  ) throws(OvercrankError) -> ToneTable? {
    let color = video.pictureColor
    guard color.transfer.isHDR else { return nil }
    switch wanted ?? (codec.isDeep ? .keep : .sdr) {
    case .sdr: return try ToneTable(from: color, peak: video.light?.peak)
    case .keep:
      guard codec.isDeep else {
        let others = VideoEncoder.Kind.available.filter(\.isDeep).map(\.rawValue).joined(separator: ", ")
        throw OvercrankError(
          .unsupported,
          "\(path): its high dynamic range needs 10 bits per sample, and \(codec.rawValue) has 8. Choose another "
            + "codec (\(others)), or do not keep the range.")
      }
      return nil
    }
  }
}
