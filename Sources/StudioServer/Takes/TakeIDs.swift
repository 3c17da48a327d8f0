import Overcrank
import Synchronization

/// The ids of takes in addresses. They are random, so that an id reveals nothing of the disk and leads only
/// to files that were given one.
final class TakeIDs: Sendable {
  private struct Names {
    var ids: [FilePath: String] = [:]
    var paths: [String: FilePath] = [:]
  }

  private let names = Mutex(Names())

  /// Returns the id of the take whose file is at `path`; it stays the same until the studio ends.
  func id(of path: FilePath) -> String {
    names.withLock { names in
      if let id = names.ids[path] { return id }
      let id = String(Token().text.prefix(16))
      names.ids[path] = id
      names.paths[id] = path
      return id
    }
  }

  /// Returns the file that was given `id`, or `nil` if none was.
  func path(of id: String) -> FilePath? { names.withLock { $0.paths[id] } }

  /// Forgets a take that no longer exists.
  func forget(_ path: FilePath) {
    names.withLock { names in
      guard let id = names.ids.removeValue(forKey: path) else { return }
      names.paths[id] = nil
    }
  }
}
