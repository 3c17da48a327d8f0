import Foundation
import Media
import Platform
import Synchronization
import Testing
import Timebase

@testable import Retime

@Suite("Clips of a limited size") struct SizeSearchTests {
  /// An encoder whose clips have sizes by arithmetic, and the clips that it made.
  private final class Encoder: Sendable {
    let codec: VideoEncoder.Kind
    let limit: Int64
    /// The sizes that a sample finds, divided by the true ones.
    let sampleError: Double
    let made = Mutex<[SizeReduction]>([])

    init(_ codec: VideoEncoder.Kind, limit: Int64 = 0, sampleError: Double = 1) {
      (self.codec, self.limit, self.sampleError) = (codec, limit, sampleError)
    }

    static let rate = FrameRate(whole: 25)

    func bytes(_ reduction: SizeReduction) -> Double {
      let (width, height) = (reduction.size?.width ?? 640, reduction.size?.height ?? 360)
      let pixels = Double(width * height) / (640 * 360)
      let steps = (reduction.quality ?? codec.usualQuality) - codec.usualQuality
      let frames = 900_000 * pow(pixels, 0.8) * pow(2, -steps / 8)
      return 12_000 + frames * (reduction.rate == nil ? 1 : 0.7)
    }

    func sample(_ reduction: SizeReduction) -> Double { bytes(reduction) * sampleError }

    func make(_ reduction: SizeReduction) throws(OvercrankError) -> Int64 {
      made.withLock { $0.append(reduction) }
      let bytes = Int64(bytes(reduction))
      guard bytes <= limit else {
        throw OvercrankError(.outOfRange, "x", remedy: .shrink(from: bytes, frames: bytes - 12_000))
      }
      return bytes
    }

    func clip() async throws(OvercrankError) -> Result<Int64, SizeSearch.TooLarge> {
      let search = SizeSearch(
        limit: limit, bytes: Int64(bytes(SizeReduction())), codec: codec, quality: codec.usualQuality,
        width: 640, height: 360, rate: Self.rate)
      return try await search.clip { (reduction: SizeReduction) throws(OvercrankError) -> Double in
        sample(reduction)
      } make: { (reduction: SizeReduction) throws(OvercrankError) -> Int64 in
        try make(reduction)
      }
    }

    var smallest: SizeReduction {
      .smallest(codec, width: 640, height: 360, rate: Self.rate, quality: codec.usualQuality)
    }
  }

  @Test(
    "are refused only if the smallest one was made and is larger, and its size then works",
    arguments: [VideoEncoder.Kind.h264, .hevc, .av1, .mjpeg, .webp, .gif, .apng], [0.6, 0.9, 1, 1.2, 1.7])
  func refusal(_ codec: VideoEncoder.Kind, sampleError: Double) async throws {
    let smallest = Encoder(codec).smallest
    let least = Int64(Encoder(codec).bytes(smallest))
    let below = [1, least / 2, least * 9 / 10, least - 1]
    let above = [least, least + 1, least * 11 / 10, least * 3 / 2, least * 2, 600_000, 900_000]
    for limit in below + above {
      let encoder = Encoder(codec, limit: limit, sampleError: sampleError)
      let result = try await encoder.clip()
      let made = encoder.made.withLock { $0 }
      #expect(made.count <= 3 && Set(made).count == made.count)
      switch result {
      case .success(let bytes): #expect(bytes <= limit && limit >= least)
      case .failure(let tooLarge): #expect(limit < least && tooLarge.least == least && made.last == smallest)
      }
      #expect(made.count < 3 || made.last == smallest)
    }
  }

  @Test(
    "use most of the size if the sample is right", arguments: [VideoEncoder.Kind.h264, .av1, .webp, .gif])
  func use(_ codec: VideoEncoder.Kind) async throws {
    for limit: Int64 in [300_000, 450_000, 800_000] {
      let encoder = Encoder(codec, limit: limit)
      let bytes = try await encoder.clip().get()
      #expect(bytes > limit * 85 / 100, "\(bytes) of \(limit)")
      #expect(encoder.made.withLock { $0.count } == 1)
    }
  }

  @Test("have the size of a clip that is smaller than all reduced ones as the least")
  func alreadySmallest() async throws {
    let search = SizeSearch(
      limit: 500, bytes: 1000, codec: .webp, quality: 25, width: 64, height: 36, rate: Encoder.rate)
    let result = try await search.clip { (_: SizeReduction) throws(OvercrankError) -> Double in
      1200
    } make: { (_: SizeReduction) throws(OvercrankError) -> Int64 in
      throw OvercrankError(.outOfRange, "x", remedy: .shrink(from: 1200, frames: 1200))
    }
    let tooLarge = #expect(throws: SizeSearch.TooLarge.self) { try result.get() }
    #expect(tooLarge?.least == 1000)
  }

  @Test("fail as their encoder does")
  func failure() async throws {
    let search = SizeSearch(
      limit: 500, bytes: 1000, codec: .h264, quality: 20, width: 64, height: 36, rate: Encoder.rate)
    let error = await #expect(throws: OvercrankError.self) {
      _ = try await search.clip { (_: SizeReduction) throws(OvercrankError) -> Double in
        400
      } make: { (_: SizeReduction) throws(OvercrankError) -> Int64 in
        throw OvercrankError(.inputOutput, "x")
      }
    }
    #expect(error?.code == .inputOutput)
  }

  @Test(
    "have a least size that is rounded up as it is printed",
    arguments: [(23_512, 23_600), (1_210_001, 1_300_000)])
  func rounded(least: Int64, printed: Int64) {
    #expect(SizeSearch.TooLarge(least: least).rounded == printed)
  }

  @Test("give up size first, then rate, and then nothing more")
  func order() throws {
    func reduction(_ excess: Double) -> SizeReduction? {
      SizeReduction(of: excess, width: 640, height: 360, rate: FrameRate(whole: 20))
    }
    let gif = try #require(reduction(2))
    #expect(gif.quality == nil && gif.rate == nil && gif.size != nil && !gif.isCapped)
    #expect(reduction(8)?.rate == FrameRate(whole: 10))
    #expect(reduction(1000) == nil)
    #expect(
      reduction(SizeReduction.most(rate: FrameRate(whole: 20)))
        == .smallest(.gif, width: 640, height: 360, rate: FrameRate(whole: 20), quality: 0))
  }

  @Test("are tried in no size that their codec refuses")
  func sizes() {
    #expect(SizeReduction.sizes(320, 240, for: .av1).map { $0?.height } == [nil, 180, 120, 90])
    #expect(SizeReduction.sizes(320, 240, for: .h264).map { $0?.height } == [nil, 180, 120, 90, 60])
    #expect(SizeReduction.sizes(48, 32, for: .av1) == [nil])
  }

  @Test("are sampled in parts that each begin with a keyframe, but have fewer keyframes themselves")
  func keyframes() {
    var count = SampleCount()
    for _ in 0..<4 { count.add([1000] + Array(repeating: 10, count: 15), ofFrames: 16) }
    #expect(count.bytes(ofFrames: 64) == 4600)
    #expect(count.bytes(ofFrames: 500, keyframeEvery: 250) == 2 * 1000 + 498 * 10)
    // Encoders of WebP return one packet.
    var whole = SampleCount()
    whole.add([1600], ofFrames: 16)
    #expect(whole.bytes(ofFrames: 100, keyframeEvery: 100) == 10_000)
  }
}
