import Platform
import FoundationEssentials
import Media

/// Returns the captured frames that a clip shows as pictures, in their order. Use from one task at a time.
protocol FramePool: AnyObject {
  /// Returns the next frame that the clip shows; `nil` at the end.
  ///
  /// - Throws: `OvercrankError` if reading the source fails.
  nonisolated(nonsending) func next() async throws(OvercrankError) -> ProcessedFrame?
}

/// A frame that was processed, or is damaged.
struct ProcessedFrame: Sendable {
  /// Its index among the captured frames.
  let index: Int
  let picture: Result<Picture, OvercrankError>
}

/// Processes the frames of a source into pictures, several at once, and returns them in order.
final class DecodePool: FramePool {
  private var reader: FrameReader
  /// One processor per frame in flight. With more of them, the encoder and the decoders wait less for each
  /// other.
  private let processors: [FrameProcessor]
  private var inFlight: [Task<ProcessedFrame, Never>] = []
  private var startedCount = 0
  private let executor: (any TaskExecutor)?

  /// The limit in pixels for all frames in flight together: some 12 MB.
  private static let mostPixels = 6_000_000

  /// Creates a pool that processes the frames of `reader`.
  ///
  /// - Parameters:
  ///   - pixelCount: the memory for a frame; see ``ClipGeometry/processingPixelCount(of:)``.
  ///   - decodePoolCount: the number of pools, including this one, that share the cores.
  ///   - executor: the executor that processes frames; `nil` for any thread.
  ///   - processor: creates a processor.
  init(
    _ reader: consuming FrameReader, pixelCount: Int, decodePoolCount: Int = 1,
    on executor: (any TaskExecutor)? = nil, processor: () throws(OvercrankError) -> FrameProcessor
  ) throws(OvercrankError) {
    let cores = max(1, ProcessInfo.processInfo.activeProcessorCount / decodePoolCount)
    let count = min(max(cores, Self.mostPixels / decodePoolCount / pixelCount), 3 * cores)
    var processors: [FrameProcessor] = []
    for _ in 0..<count { processors.append(try processor()) }
    self.processors = processors
    self.executor = executor
    self.reader = reader
  }

  /// Returns the next frame that the clip shows; `nil` at the end.
  ///
  /// - Throws: the errors of ``FrameReader/next()``.
  nonisolated(nonsending) func next() async throws(OvercrankError) -> ProcessedFrame? {
    while inFlight.count < processors.count, let frame = try reader.next() {
      // The processor's last frame was returned already, so the processor is free.
      let processor = processors[startedCount % processors.count]
      startedCount += 1
      inFlight.append(
        Task(executorPreference: executor) {
          ProcessedFrame(index: frame.index, picture: processor.process(frame))
        })
    }
    return inFlight.isEmpty ? nil : await inFlight.removeFirst().value
  }
}
