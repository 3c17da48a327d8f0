import CameraModel
import FrameJudge
import Foundation
import Media
import Platform
import SystemPackage
import Testing
import Timebase

@testable import Retime

@Suite("A high dynamic range")
struct ToneMappingTests {
  private func track(_ transfer: ColorDescription.Transfer) -> VideoTrack {
    VideoTrack(
      codec: .other("hevc"), width: 64, height: 64,
      color: ColorDescription(primaries: .bt2020, transfer: transfer, matrix: .bt2020, range: .limited))
  }

  private func isMapped(
    _ wanted: ToneMapping?, _ transfer: ColorDescription.Transfer, _ codec: VideoEncoder.Kind
  ) throws -> Bool {
    try ToneMapping.stage(wanted, for: track(transfer), in: codec, "x.mp4") != nil
  }

  @Test(
    "is mapped for codecs of 8 bits, and on request for all",
    arguments: [ColorDescription.Transfer.hlg, .pq], VideoEncoder.Kind.allCases)
  func usual(_ transfer: ColorDescription.Transfer, _ codec: VideoEncoder.Kind) throws {
    let hasEightBits: [VideoEncoder.Kind] = [.h264, .mjpeg, .gif, .webp, .apng]
    #expect(try isMapped(nil, transfer, codec) == hasEightBits.contains(codec))
    #expect(try isMapped(.sdr, transfer, codec))
    guard codec.holdsHDR else {
      let error = #expect(throws: OvercrankError.self) { try isMapped(.keep, transfer, codec) }
      #expect(error?.code == .unsupported && error?.description.contains("prores") == true)
      return
    }
    #expect(try !isMapped(.keep, transfer, codec))
  }

  @Test("is not found in other sources", arguments: [ToneMapping?.none, .sdr, .keep])
  func standardRange(_ wanted: ToneMapping?) throws {
    for transfer in [ColorDescription.Transfer.bt709, .srgb, .unspecified] {
      #expect(try !isMapped(wanted, transfer, .h264))
    }
  }
}

@Suite("A clip with the standard range", .tags(.program), .timeLimit(.minutes(1)))
struct ToneMappedClipTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A source of one grey, by its value in the layout's bits.
  private func source(_ value: Int, _ transfer: String, _ pixels: String = "yuv420p10le") throws -> FilePath {
    let path = folder.path("source.mkv")
    let middle = pixels.contains("12") ? 2048 : 512
    try Program.ffmpeg(
      "-f", "lavfi", "-i",
      "nullsrc=s=64x48:r=24:d=0.25,format=\(pixels),geq=lum=\(value):cb=\(middle):cr=\(middle)", "-c:v",
      "ffv1",
      "-color_primaries", "bt2020", "-color_trc", transfer, "-colorspace", "bt2020nc", "-color_range", "tv",
      path)
    return FilePath(path)
  }

  /// The mean luma of a clip's first picture, in steps of 8 bits.
  private func luma(_ clip: String, isDeep: Bool = false, isRGB: Bool = false) throws -> Double {
    let filter = isRGB ? "format=yuv444p,extractplanes=y" : "extractplanes=y"
    let bytes = try Program.run(
      "ffmpeg", ["-v", "error", "-i", clip, "-frames:v", "1", "-vf", filter, "-f", "rawvideo", "-"]
    ).output.map { Int($0) }
    let sum = bytes.reduce(0, +)
    guard isDeep else { return Double(sum) / Double(bytes.count) }
    let high = stride(from: 1, to: bytes.count, by: 2).reduce(0) { $0 + bytes[$1] }
    return Double(sum + 255 * high) / Double(2 * bytes.count)
  }

  @Test(
    "has the tags and the greys of BT.709, from each subsampling",
    arguments: ["arib-std-b67", "smpte2084"], ["yuv420p10le", "yuv422p10le", "yuv444p12le"])
  func greys(_ transfer: String, _ pixels: String) async throws {
    // 18 % grey.
    let path = try source(pixels.contains("12") ? 1588 : 397, transfer, pixels)
    let clip = folder.path("clip.mp4")
    let report = try await ClipRenderer(
      ClipSource(path), spec: RenderSpec(preset: .ultrafast, quality: 4)
    ).render(to: OutputFile(FilePath(clip)))
    #expect(report.toneMappedTransfer?.isHDR == true && !report.hasCoarseHDR)
    let stream = try #require(try Probe(clip).streams.first)
    #expect(stream.pix_fmt == "yuv420p" && stream.color_range == "tv")
    #expect(
      [stream.color_space, stream.color_transfer, stream.color_primaries] == ["bt709", "bt709", "bt709"])
    let mean = try luma(clip)
    #expect(abs(mean - 109.2) < 1, "\(mean)")
  }

  @Test(
    "is made in the layout and the range of each codec, turned, zoomed and deflickered too",
    arguments: [
      (VideoEncoder.Kind.prores, "yuv422p10le", 109.2), (.ffv1, "yuv420p", 109.2), (.hevc, "yuv420p", 109.2),
      (.mjpeg, "yuvj420p", 108.5), (.gif, "bgra", 109.2), (.apng, "rgb24", 109.2),
    ])
  func layouts(_ codec: VideoEncoder.Kind, _ pixels: String, _ expected: Double) async throws {
    let container = codec.usualContainer
    let clip = folder.path("clip.\(container.fileExtension)")
    var spec = RenderSpec(codec: codec, preset: .ultrafast)
    spec.stages = .usual.with(
      ToneMapping.sdr, PictureTurn(degrees: 90), Deflicker(), ClipZoom(try ZoomCurve(text: "2")))
    _ = try await ClipRenderer(ClipSource(try source(397, "arib-std-b67")), spec: spec).render(
      to: OutputFile(FilePath(clip)), container: container)
    let stream = try #require(try Probe(clip).streams.first)
    #expect(stream.pix_fmt == pixels && stream.width == 48)
    let mean = try luma(clip, isDeep: pixels.hasSuffix("10le"), isRGB: codec == .gif || codec == .apng)
    #expect(abs(mean - expected) < 1.5, "\(mean)")
  }

  @Test("is what stills show too", arguments: ["arib-std-b67", "smpte2084"])
  func stills(_ transfer: String) throws {
    var frames = try SourceFrames(ClipSource(try source(397, transfer)))
    let development = try frames.development(.rgb24)
    let picture = try frames.picture(2, development)
    let values = picture.withRow(20, plane: 0) { bytes in bytes.indices.map { Int(bytes[$0]) } }
    let mean = Double(values.reduce(0, +)) / Double(max(1, values.count))
    // 108.6, from luma of 8 bits, whose steps are 1.2.
    #expect(picture.layout == .rgb24 && abs(mean - 108.6) < 2, "\(mean)")
  }
}
