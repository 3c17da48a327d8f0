import Platform
import FoundationEssentials
import Media

/// Develops the frames of a film to pictures, several at once, and hands them out in order.
struct DecodePool: ~Copyable {
  /// A frame that was developed, or damaged.
  struct ProcessedFrame: Sendable {
    /// Its place among the captured frames.
    let index: Int
    let picture: Result<Picture, OvercrankError>
  }

  private var reader: FrameReader
  /// A processor for every frame in flight. The more there are, the less do encoder and decoders wait for each other.
  private let processors: [FrameProcessor]
  private var inFlight: [Task<ProcessedFrame, Never>] = []
  private var startedCount = 0
  private let executor: (any TaskExecutor)?

  /// In pixels, of all frames in flight together: some 12 MB.
  private static let mostPixels = 6_000_000

  /// - Parameters:
  ///   - pixelCount: what a frame takes; see ``ClipGeometry/processingPixelCount(of:)``.
  ///   - decodePoolCount: how many darkrooms, this one among them, share the cores.
  ///   - executor: where frames are developed; `nil` for everywhere.
  ///   - processor: makes a processor.
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

  /// The next frame that the clip shows; `nil` at the end.
  ///
  /// - Throws: what ``FrameReader/next()`` throws.
  mutating func next() async throws(OvercrankError) -> ProcessedFrame? {
    while inFlight.count < processors.count, let frame = try reader.next() {
      // The processor's last frame has been handed out: nothing waits for it.
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
