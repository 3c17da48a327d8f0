import FoundationEssentials
import Media

/// Develops the frames of a film to pictures, several at once, and hands them out in order.
struct Darkroom: ~Copyable {
  /// A frame that was developed, or damaged.
  struct Developed: Sendable {
    /// Its place among the captured frames.
    let index: Int
    let picture: Result<Picture, MediaError>
  }

  private var feed: FrameFeed
  /// A bench for every frame in flight. The more there are, the less do encoder and decoders wait for each other.
  private let benches: [Workbench]
  private var inFlight: [Task<Developed, Never>] = []
  private var startedCount = 0

  /// In pixels, of all frames in flight together: some 12 MB.
  private static let mostPixels = 6_000_000

  /// - Parameters:
  ///   - pixelCount: what a frame takes; see ``ClipGeometry/developingPixelCount(of:)``.
  ///   - darkroomCount: how many darkrooms, this one among them, share the cores.
  ///   - bench: makes a bench.
  init(
    _ feed: consuming FrameFeed, pixelCount: Int, darkroomCount: Int = 1,
    bench: () throws(MediaError) -> Workbench
  ) throws(MediaError) {
    let cores = max(1, ProcessInfo.processInfo.activeProcessorCount / darkroomCount)
    let count = min(max(cores, Self.mostPixels / darkroomCount / pixelCount), 3 * cores)
    var benches: [Workbench] = []
    for _ in 0..<count { benches.append(try bench()) }
    self.benches = benches
    self.feed = feed
  }

  /// The next frame that the clip shows; `nil` at the end.
  ///
  /// - Throws: what ``FrameFeed/next()`` throws.
  mutating func next() async throws(MediaError) -> Developed? {
    while inFlight.count < benches.count, let frame = try feed.next() {
      // The bench's last frame has been handed out: nothing waits for it.
      let bench = benches[startedCount % benches.count]
      startedCount += 1
      inFlight.append(Task { Developed(index: frame.index, picture: bench.develop(frame)) })
    }
    return inFlight.isEmpty ? nil : await inFlight.removeFirst().value
  }
}
