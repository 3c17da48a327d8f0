import Media
import Synchronization

/// The different sizes of a source's frames. Recordings that were joined into one file may have several; their frames are
/// scaled to the clip's size.
final class SourceSizes: Sendable {
  private let sizes = Mutex<Set<ClipReport.Size>>([])

  /// The number of sizes so far.
  var count: Int { sizes.withLock(\.count) }

  /// Notes the size of a decoded frame.
  func note(_ picture: Picture) {
    let size = ClipReport.Size(width: picture.width, height: picture.height)
    sizes.withLock { _ = $0.insert(size) }
  }
}
