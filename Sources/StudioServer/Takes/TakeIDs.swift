import Overcrank
import Synchronization

/// What takes are called in addresses: random, so that a name says nothing of the disk, and no name leads to a file that
/// was not given one.
final class TakeIDs: Sendable {
  private struct Names {
    var ids: [FilePath: String] = [:]
    var paths: [String: FilePath] = [:]
  }

  private let names = Mutex(Names())

  /// The id of the take whose file is at `path`, which keeps it until the studio ends.
  func id(of path: FilePath) -> String {
    names.withLock { names in
      if let id = names.ids[path] { return id }
      let id = String(Token().text.prefix(16))
      names.ids[path] = id
      names.paths[id] = path
      return id
    }
  }

  /// The take file that `id` was given to; `nil` where it was given to none.
  func path(of id: String) -> FilePath? { names.withLock { $0.paths[id] } }

  /// Forgets a take that is gone.
  func forget(_ path: FilePath) {
    names.withLock { names in
      guard let id = names.ids.removeValue(forKey: path) else { return }
      names.paths[id] = nil
    }
  }
}
