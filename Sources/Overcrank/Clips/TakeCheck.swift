public import Platform
import Retime
public import SystemPackage
public import Takes

/// The speeds that a take states for its files, compared with the files.
///
/// An interrupted change in place leaves a file at its new speed, and a take that states the former one.
public struct TakeCheck: Sendable {
  /// The take file's path.
  public let path: FilePath
  /// The files whose speed differs from the take's, with their actual speed, such as `1/8`.
  public let stale: [(name: String, speed: String)]
  private let name: String?
  private let mended: Take

  /// Compares a take with its files; `nil` if the take is correct.
  ///
  /// - Parameters:
  ///   - take: the take's content.
  ///   - path: the take file.
  ///   - name: the file beside the take to check; `nil` for all.
  public init?(_ take: Take, at path: FilePath, of name: String? = nil) {
    var mended = take
    var stale: [(name: String, speed: String)] = []
    for file in [take.master].compactMap(\.self) + take.clips.map(\.file) where name ?? file == file {
      guard let pace = SourcePace(path.beside(file)), mended.enter(pace, of: file) == true else { continue }
      let clip = mended.clips.first { $0.file == file }
      stale.append((file, clip?.speed ?? mended.masterSpeed ?? "1"))
    }
    guard !stale.isEmpty else { return nil }
    self.path = path
    self.name = name
    self.stale = stale
    self.mended = mended
  }

  /// Compares the take beside the file at `path`; `nil` if it is correct, or there is none.
  ///
  /// - Throws: `OvercrankError` if the take cannot be read.
  public init?(ofVideo path: FilePath) throws(OvercrankError) {
    let takePath = TakeFiles.take(of: path)
    guard let take = try Take.read(from: takePath) else { return nil }
    self.init(take, at: takePath)
  }

  /// Corrects the take.
  ///
  /// - Throws: `OvercrankError`; the take is then unchanged.
  public func mend() throws(OvercrankError) {
    let lock = try Take.lock(path)
    defer { lock.release() }
    // Read again: the take may have got a label or a clip since.
    guard let take = try Take.read(from: path), let present = TakeCheck(take, at: path, of: name) else {
      return
    }
    try present.mended.write(to: path, having: lock)
  }
}
