public import CameraModel
public import Media
public import Platform
import Synchronization
public import Timebase

/// A preview of a session for display: small pictures of the newest frames, a few a second.
///
/// ```swift
/// let preview = try PreviewTap(fitting: Dimensions(width: 640, height: 480))
/// session.add(preview)
/// for await picture in preview.pictures { show(picture) }
/// ```
///
/// Frames of a ``FrameTap`` are decoded on the preview's own thread. If that falls behind, the preview skips
/// pictures; no take loses a frame. Not for counting frames, or for measuring.
public final class PreviewTap: Sendable {
  /// The frames from the session.
  let frames: FrameTap
  private let store = PreviewStore()
  private let thread: Mutex<NamedThread?>

  /// Creates a preview that has not been added to a session yet.
  ///
  /// - Parameters:
  ///   - size: The maximum number of columns and rows of a picture. Pictures keep their proportions and are
  ///     never enlarged.
  ///   - minimumInterval: The minimum time between pictures.
  /// - Throws: ``CaptureError`` if the system cannot start a thread.
  public init(
    fitting size: Dimensions, minimumInterval: Duration = .seconds(1) / 30
  ) throws(CaptureError) {
    let frames = FrameTap(minimumInterval: minimumInterval, isFollowed: true)
    self.frames = frames
    // The thread must not retain this object, which would then never be released.
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

  /// The reason why the newest frame has no picture: it was damaged, or frames of this format have none;
  /// `nil` if it has one.
  public var failure: OvercrankError? { store.failure }

  /// The pictures from now on, until the preview is closed or its session ends.
  ///
  /// Each access adds a listener. A slow one receives the newest picture next.
  public var pictures: AsyncStream<PreviewPicture> { store.listen() }

  /// Closes the preview; the session continues. Waits for the picture that is being decoded.
  public func close() {
    frames.close()
    thread.withLock { $0.take() }?.join()
  }
}

/// A small picture of a frame.
public struct PreviewPicture: Sendable {
  /// The camera's sequence number of the frame.
  public let sequence: UInt32
  /// The capture time, on the camera's clock.
  public let timestamp: Instant
  /// The pixels: planar luma and chroma as in JFIF, luma alone, or red, green and blue.
  public let picture: Picture

  /// Returns the picture as a JPEG, for example for a browser; takes about a millisecond for 640x480.
  ///
  /// - Parameter quality: The quality from 1 to 100.
  /// - Throws: `OvercrankError` if TurboJPEG cannot encode it.
  public func jpeg(quality: Int = 75) throws(OvercrankError) -> [UInt8] {
    try JPEGEncoder(quality: quality).encode(picture)
  }
}

/// The results of a preview's thread, for its listeners.
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
