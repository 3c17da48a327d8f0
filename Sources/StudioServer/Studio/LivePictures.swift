import Overcrank
import Synchronization

/// Small pictures of a session's frames, in the widths that pages request.
///
/// Each width has its own tap while a page requests it; without pages, nothing is decoded.
final class LivePictures: Sendable {
  private struct View: Sendable {
    var tap: PreviewTap
    var requestedAt: Instant
    /// The newest picture as a JPEG, shared by several pages.
    var jpeg: (sequence: UInt32, bytes: [UInt8])?
  }

  private let session: CaptureSession
  private let views = Mutex<[Int: View]>([:])

  /// The widths that are decoded; a page gets the next larger one.
  private static let widths = [320, 640, 960, 1280, 1920]
  /// The time for which a width is still decoded after its last request.
  private static let patience = Duration.seconds(5)
  /// The longest time that a page waits for a picture.
  private static let longestWait = Duration.seconds(1)

  init(of session: CaptureSession) { self.session = session }

  /// Returns the newest picture of a frame other than `sequence`; `nil` if none arrived within a second.
  func next(after sequence: UInt32?, width: Int) async throws -> StudioPicture? {
    let width = Self.widths.first { $0 >= width } ?? 1920
    let tap = try tap(of: width)
    if let newest = tap.newest, newest.sequence != sequence { return try answer(newest, width) }
    let picture = await withTaskGroup(of: PreviewPicture?.self) { group in
      group.addTask { await tap.pictures.first { $0.sequence != sequence } }
      group.addTask {
        try? await Task.sleep(for: Self.longestWait)
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
    return try picture.map { try answer($0, width) }
  }

  private func answer(_ picture: PreviewPicture, _ width: Int) throws -> StudioPicture {
    let known = views.withLock { $0[width]?.jpeg }
    let jpeg: [UInt8]
    if let known, known.sequence == picture.sequence {
      jpeg = known.bytes
    } else {
      jpeg = try picture.jpeg()
      views.withLock { $0[width]?.jpeg = (picture.sequence, jpeg) }
    }
    return StudioPicture(
      jpeg: jpeg, sequence: picture.sequence,
      newest: session.status.newest?.sequence ?? picture.sequence, timestamp: picture.timestamp)
  }

  private func tap(of width: Int) throws -> PreviewTap {
    let now = MonotonicClock.now
    let (tap, isNew, stale) = try views.withLock { views in
      let stale = views.filter { $0.key != width && now - $0.value.requestedAt > Self.patience }
      for key in stale.keys { views[key] = nil }
      if let known = views[width]?.tap {
        views[width]?.requestedAt = now
        return (known, false, Array(stale.values))
      }
      // High enough that the width decides.
      let size = Dimensions(width: UInt32(width), height: UInt32(4 * width))
      let tap = try PreviewTap(fitting: size)
      views[width] = View(tap: tap, requestedAt: now)
      return (tap, true, Array(stale.values))
    }
    for view in stale { view.tap.close() }
    if isNew { session.add(tap) }
    return tap
  }

  /// Closes all taps.
  func close() {
    let taps = views.withLock { views in
      defer { views = [:] }
      return views.values.map(\.tap)
    }
    for tap in taps { tap.close() }
  }
}
