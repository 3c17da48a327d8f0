import FoundationEssentials
import Overcrank

/// A take in the form that `--json` prints: the content of its file, with full paths, and with the facts of
/// each frame only if requested.
struct TakeReport: Encodable {
  private let finished: FinishedTake
  private let hasFrames: Bool
  private let group: (path: FilePath, camera: String)?

  /// Creates a report.
  ///
  /// - Parameters:
  ///   - hasFrames: whether to include the number and the time of each frame.
  ///   - group: the file of the group that it belongs to, and the camera's name there; `nil` if it belongs to
  ///     none.
  init(_ take: FinishedTake, hasFrames: Bool, in group: (path: FilePath, camera: String)? = nil) {
    finished = take
    self.hasFrames = hasFrames
    self.group = group
  }

  private enum CodingKeys: String, CodingKey {
    case take, export, group
    case masterBytes = "master_bytes"
    case groupCamera = "group_camera"
  }

  func encode(to encoder: any Encoder) throws {
    var take = finished.take
    take.master = take.master.map { _ in finished.files.master.absolutePath }
    for index in take.clips.indices { take.clips[index].file = finished.files.clip.absolutePath }
    try take.encode(to: encoder, withFrames: hasFrames)
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(finished.files.take.absolutePath, forKey: .take)
    try keys.encode(take.master.flatMap { _ in finished.files.master.fileSize }, forKey: .masterBytes)
    try keys.encodeIfPresent(group?.path.absolutePath, forKey: .group)
    try keys.encodeIfPresent(group?.camera, forKey: .groupCamera)
    try keys.encodeIfPresent(finished.export.map(ExportReport.init), forKey: .export)
  }
}

extension FilePath {
  /// The size of the file in bytes; `nil` if it does not exist.
  var fileSize: Int64? { (try? Stat(self)).map { Int64($0.size) } }

  /// The size of the file as text, `66.3 MB`; `nil` if it does not exist.
  var sizeWords: String? { fileSize?.sizeWords }
}
