import Media
import Platform
import Synchronization
import SystemPackage

/// The treatment of a high dynamic range (HLG or PQ). Without this stage, it is kept if the clip's codec can hold
/// it, and otherwise mapped. Other sources stay as they are.
public enum ToneMapping: String, PictureStage, CaseIterable {
  /// It becomes the standard range, BT.709 in 8 bits, by the tone curve of BT.2390.
  case sdr
  /// It is kept, with its grading.
  case keep

  /// The stage's key in the description of a clip.
  public static var name: String { "tone" }

  /// Returns the stage for a source: `sdr` if its high dynamic range is mapped; `nil` if its pictures keep their
  /// range.
  ///
  /// - Parameters:
  ///   - wanted: the requested treatment; `nil` for the usual one.
  ///   - video: the source.
  ///   - codec: the clip's codec.
  ///   - path: the source's file.
  /// - Throws: `unsupported` if the range is to be kept by a codec of 8 bits.
  static func stage(
    _ wanted: ToneMapping?, for video: VideoTrack, in codec: VideoEncoder.Kind, _ path: FilePath
  ) throws(OvercrankError) -> ToneMapping? {
    guard video.pictureColor.transfer.isHDR else { return nil }
    switch wanted ?? (codec.holdsHDR ? .keep : .sdr) {
    case .sdr: return .sdr
    case .keep where codec.holdsHDR: return nil
    case .keep:
      let others = VideoEncoder.Kind.available.filter(\.holdsHDR).map(\.rawValue).joined(separator: ", ")
      throw OvercrankError(
        .unsupported,
        "\(path): its high dynamic range needs 10 bits per sample, and \(codec.rawValue) has 8. Choose another "
          + "codec (\(others)), or do not keep the range.")
    }
  }

  /// Returns a track with the pictures of `video` once they are mapped.
  static func mapped(_ video: VideoTrack) -> VideoTrack {
    VideoTrack(codec: .raw(.yuv420p), width: video.width, height: video.height, color: .bt709)
  }
}

extension ToneMapping: ChangingStage {
  static var isOverlay: Bool { false }

  func prepare(
    for pictures: PicturePlan, _ timing: SourceTiming
  ) throws(OvercrankError) -> any PreparedStage {
    try MappedTones(of: pictures.video, to: pictures.layout, pictures.color, size: pictures.size)
  }
}

/// The pictures of a high dynamic range, mapped to the standard one.
final class MappedTones: PreparedStage {
  private let table: ToneTable
  private let layout: PixelLayout
  private let color: ColorDescription
  private let size: (width: Int, height: Int)
  /// The mappers that are not in use: each thread takes one for a picture.
  private let idle = Mutex<[Mapper]>([])

  /// Prepares the mapping of pictures of `video` that have its colours, as `asToneSource` states them, to others
  /// in `layout` and `color`.
  init(
    of video: VideoTrack, to layout: PixelLayout, _ color: ColorDescription, size: (width: Int, height: Int)
  ) throws(OvercrankError) {
    table = try ToneTable(from: video.pictureColor, peak: video.light?.peak)
    self.layout = layout
    self.color = color
    self.size = size
  }

  func process(_ picture: consuming Picture, of index: Int) throws(OvercrankError) -> Picture {
    let mapper = idle.withLock { $0.popLast() } ?? Mapper(table, layout, color, size)
    defer { idle.withLock { $0.append(mapper) } }
    return try mapper.map(picture)
  }

  func report(to report: inout ClipReport) { report.toneMappedTransfer = table.sourceColor.transfer }

  /// The tools for one picture at a time.
  private final class Mapper: Sendable {
    private struct Tools: ~Copyable {
      var mapper: ToneMapper
      /// Converts mapped pictures to a layout or colours that differ.
      var finisher: PictureConverter
    }

    private let tools: Mutex<Tools>

    init(
      _ table: ToneTable, _ layout: PixelLayout, _ color: ColorDescription, _ size: (width: Int, height: Int)
    ) {
      tools = Mutex(
        Tools(
          mapper: ToneMapper(table),
          finisher: PictureConverter(width: size.width, height: size.height, color: color, layout: layout)))
    }

    func map(_ picture: Picture) throws(OvercrankError) -> Picture {
      try tools.withLock { tools in
        Result { () throws(OvercrankError) in try tools.finisher.convert(try tools.mapper.map(picture)) }
      }.get()
    }
  }
}

extension VideoEncoder.Kind {
  /// Whether its pictures may have the 10 bits per sample that a high dynamic range needs.
  var holdsHDR: Bool { [.hevc, .av1, .prores, .ffv1, .raw].contains(self) }
}
