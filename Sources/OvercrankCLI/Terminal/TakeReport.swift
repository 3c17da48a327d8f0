import FoundationEssentials
import Overcrank

/// A take as `--json` prints it: what its file says, with full paths, and without what that says of
/// every single frame unless it was asked for.
struct TakeReport: Encodable {
  private let finished: FinishedTake
  private let hasFrames: Bool

  /// - Parameter hasFrames: whether the number and the time of each frame are printed too.
  init(_ take: FinishedTake, hasFrames: Bool) {
    finished = take
    self.hasFrames = hasFrames
  }

  private enum CodingKeys: String, CodingKey {
    case take, export
    case masterBytes = "master_bytes"
  }

  func encode(to encoder: any Encoder) throws {
    var take = finished.take
    take.master = take.master.map { _ in finished.files.master.absolutePath }
    for index in take.clips.indices { take.clips[index].file = finished.files.clip.absolutePath }
    try take.encode(to: encoder, withFrames: hasFrames)
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(finished.files.take.absolutePath, forKey: .take)
    try keys.encode(take.master.flatMap { _ in finished.files.master.fileSize }, forKey: .masterBytes)
    try keys.encodeIfPresent(finished.export.map(ExportReport.init), forKey: .export)
  }
}

extension FilePath {
  /// The path from the root on.
  var absolutePath: String {
    FilePath(FileManager.default.currentDirectoryPath).pushing(self).lexicallyNormalized().string
  }

  /// Bytes in the file; `nil` where there is none.
  var fileSize: Int64? { (try? Stat(self)).map { Int64($0.size) } }

  /// The size of the file, as people say it: `66.3 MB`; `nil` where there is none.
  var sizeWords: String? { fileSize?.sizeWords }
}
