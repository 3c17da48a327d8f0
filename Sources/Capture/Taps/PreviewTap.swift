public import CameraModel
import Cameras
public import Media
public import Platform
import Synchronization
public import Timebase

/// Small pictures of what a session captures, for a person to look at: the newest, a few a second.
///
/// ```swift
/// let preview = try PreviewTap(fitting: Dimensions(width: 640, height: 480))
/// session.add(preview)
/// for await picture in preview.pictures { show(picture) }
/// ```
///
/// Frames are decoded on a thread of its own, which a ``FrameTap`` feeds: a preview that falls behind
/// misses pictures, and costs no frame of a take. Not for counting frames, or for measuring.
public final class PreviewTap: Sendable {
  /// What the session fills.
  let frames: FrameTap
  private let store = PreviewStore()
  private let thread: Mutex<NamedThread?>

  /// A preview that has not been added to a session yet.
  ///
  /// - Parameters:
  ///   - size: the most columns and rows of a picture. Pictures keep their proportions and are never
  ///     enlarged.
  ///   - minimumInterval: the time from one picture to the next; a thirtieth of a second without it.
  /// - Throws: ``CaptureError`` where the system has no thread to give.
  public init(
    fitting size: Dimensions, minimumInterval: Duration = .seconds(1) / 30
  ) throws(CaptureError) {
    let frames = FrameTap(minimumInterval: minimumInterval, isFollowed: true)
    self.frames = frames
    // The thread knows nothing of this object, which would else never go away.
    let thread = NamedThread(name: "overcrank-view") { [store] in
      PreviewDecoder.run(frames, fitting: size, into: store)
    }
    self.thread = Mutex(thread)
    guard thread != nil else {
      throw .camera(.noThread)
    }
  }

  deinit { close() }

  /// The newest picture; `nil` before the first.
  public var newest: PreviewPicture? { store.newest }

  /// Why the newest frame has no picture: it was damaged, or frames of this format have none; `nil`
  /// where it has one.
  public var failure: OvercrankError? { store.failure }

  /// The pictures from now on, until the preview is closed or its session ends.
  ///
  /// Each call makes one more listener. One that is slow gets the newest picture next.
  public var pictures: AsyncStream<PreviewPicture> { store.listen() }

  /// Ends the preview; the session goes on. Waits for the picture that is being decoded.
  public func close() {
    frames.close()
    thread.withLock { $0.take() }?.join()
  }
}

/// A small picture of a frame.
public struct PreviewPicture: Sendable {
  /// The camera's number of the frame.
  public let sequence: UInt32
  /// When it was captured, on the camera's clock.
  public let timestamp: Instant
  /// The pixels: planar luma and chroma as JFIF has them, luma alone, or red, green and blue.
  public let picture: Picture

  /// The picture as a JPEG, such as a browser shows; takes about a millisecond for 640x480.
  ///
  /// - Parameter quality: from 1 (small) to 100 (faithful).
  /// - Throws: `OvercrankError` where TurboJPEG cannot encode it.
  public func jpeg(quality: Int = 75) throws(OvercrankError) -> [UInt8] {
    try JPEGEncoder(quality: quality).encode(picture)
  }
}

/// What a preview's thread leaves for those who look.
final class PreviewStore: Sendable {
  private struct State {
    var newest: PreviewPicture?
    var failure: OvercrankError?
    var listeners: [Int: AsyncStream<PreviewPicture>.Continuation] = [:]
    var listenerCount = 0
    var isClosed = false
  }

  private let state = Mutex(State())

  var newest: PreviewPicture? { state.withLock { $0.newest } }
  var failure: OvercrankError? { state.withLock { $0.failure } }

  func listen() -> AsyncStream<PreviewPicture> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let number = state.withLock { state -> Int? in
        guard !state.isClosed else { return nil }
        state.listenerCount += 1
        state.listeners[state.listenerCount] = continuation
        return state.listenerCount
      }
      guard let number else { return continuation.finish() }
      continuation.onTermination = { [weak self] _ in
        _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
      }
    }
  }

  func leave(_ picture: PreviewPicture) {
    let listeners = state.withLock { state in
      state.newest = picture
      state.failure = nil
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.yield(picture) }
  }

  func leave(_ failure: OvercrankError) { state.withLock { $0.failure = failure } }

  func close() {
    let listeners = state.withLock { state in
      defer { state.listeners = [:] }
      state.isClosed = true
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.finish() }
  }
}
