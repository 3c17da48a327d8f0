import FrameJudge
import Foundation
import Media
import Platform
import SystemPackage
import Testing
import Timebase

@testable import Retime

@Suite("How fast a phone captured a video")
struct CapturePaceTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Ten frames that play at `rate`.
  private func video(_ rate: Int64) throws -> String {
    let path = folder.path("\(UUID()).mov")
    var muxer = try Muxer(
      to: OutputFile(FilePath(path)), container: .mov,
      video: VideoTrack(codec: .mjpeg, width: 16, height: 16), timescale: 48_000)
    let chroma = [UInt8](repeating: 128, count: 128)
    let frame = try JPEGEncoder(quality: 90).encode(
      luma: [UInt8](repeating: 90, count: 256).span, blue: chroma.span, red: chroma.span, width: 16,
      height: 16)
    for index in 0..<10 as Range<Int64> {
      try frame.span.bytes.withUnsafeBytes { bytes throws(OvercrankError) in
        try muxer.write(bytes, timestamp: index * 48_000 / rate, duration: 48_000 / rate)
      }
    }
    try muxer.finish()
    return path
  }

  @Test("is the rate that it states, relative to its playback rate")
  func claims() throws {
    for (box, source) in [
      (PhoneBoxes.captureRate(239.7), .android), (PhoneBoxes.samsung(mode: 12), .samsung),
    ] as [([UInt8], CapturePace.Source)] {
      let path = try video(30)
      try PhoneBoxes.add(box, toIndexOf: path)
      let pace = CapturePace(of: FilePath(path))
      #expect(pace.source == source && pace.speed == Fraction(1, 8) && pace.playedRate == Fraction(30))
      #expect(pace.captureRate == Fraction(240) && pace.ramp == nil && pace.ignored.isEmpty)
      let asked = CapturePace(of: FilePath(path), asked: FrameRate(whole: 120))
      #expect(asked.source == .asked && asked.speed == Fraction(1, 4))
      let taken = CapturePace(of: FilePath(path), takeSpeed: Fraction(1, 2))
      #expect(taken.source == .take && taken.speed == Fraction(1, 2) && taken.ignored.count == 1)
    }
  }

  @Test("is unknown at a usual playback rate, and is the playback rate if that is unusually high")
  func unsaid() throws {
    let usual = CapturePace(of: FilePath(try video(30)))
    #expect(usual.source == .unknown && usual.speed == Fraction(1) && usual.captureRate == nil)
    let fast = CapturePace(of: FilePath(try video(240)))
    #expect(fast.source == .timestamps && fast.speed == Fraction(1) && fast.captureRate == Fraction(240))
    #expect(CapturePace(of: FilePath(folder.path("none.mov"))) == .unknown)
  }

  @Test(
    "comes with the stored ramp, in capture time",
    arguments: [
      (240, "250:750:4", "0s:1, 0.25s:1, 0.25s:1/8, 0.75s:1/8, 0.75s:1"),
      (240, "0:500:3", "0s:1/4, 0.5s:1/4, 0.5s:1"),
      (240, "100:500:3*500:900:4", "0s:1, 0.1s:1, 0.1s:1/4, 0.5s:1/4, 0.5s:1/8, 0.9s:1/8, 0.9s:1"),
      (30, "2000:6000:4", "0s:1, 0.25s:1, 0.25s:1/8, 0.75s:1/8, 0.75s:1"),
    ] as [(Int64, String, String)])
  func ramp(_ rate: Int64, _ stored: String, _ curve: String) throws {
    let path = try video(rate)
    if rate == 30 { try PhoneBoxes.add(PhoneBoxes.captureRate(240), toIndexOf: path) }
    try PhoneBoxes.append(PhoneBoxes.trailer("SlowMotion_Data", stored), to: path)
    let pace = CapturePace(of: FilePath(path))
    #expect(pace.ramp == (try SpeedCurve(text: curve)), "\(String(describing: pace.ramp))")
    #expect(pace.ignored.isEmpty)
  }
}
