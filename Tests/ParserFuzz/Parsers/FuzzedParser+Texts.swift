import CameraModel
import Cameras
import Capture
import Foundation
import Media
import Overcrank
import Platform
import Retime
import Simulator
import Takes
import Timebase
import V4L2

extension FuzzedParser {
  func feedTable(_ bytes: [UInt8]) throws(Broken) {
    guard let table = try? CameraTable(json: bytes, named: "fuzzed") else { return }
    let again = try readAgain(table)
    // A measurement is the user's own, and not read from a table.
    try promise(again == table, "a table is another when it is read again")
    try reckon(table)
  }

  func feedListing(_ bytes: [UInt8]) throws(Broken) {
    guard let table = try? CameraTable(contents: bytes, named: "fuzzed") else { return }
    try promise(try readAgain(table) == table, "a listing's table is another when it is read again")
    try reckon(table)
  }

  private func readAgain(_ table: CameraTable) throws(Broken) -> CameraTable {
    do {
      return try CameraTable(json: JSONEncoder().encode(table), named: "written")
    } catch {
      throw Broken("a table that was read cannot be written and read again: \(error)")
    }
  }

  func feedProfile(_ bytes: [UInt8]) throws(Broken) {
    guard let profile = try? Profile(yaml: String(decoding: bytes, as: UTF8.self), named: "fuzzed") else {
      return
    }
    try reckon(CameraTable(profile))
  }

  func feedCurve(_ bytes: [UInt8]) throws(Broken) {
    guard let curve = try? SpeedCurve(text: String(decoding: bytes, as: UTF8.self)) else { return }
    let words = curve.description
    if let again = try? SpeedCurve(text: words) {
      // Writing may round its speeds, but not its times.
      try promise(
        again.freezes == curve.freezes, "\"\(words)\" is written with other freezes than it was read with")
    }
    let frames = (0..<40).map {
      FrameTiming(sequence: Int64($0), timestamp: Instant(nanoseconds: Int64($0) * 25_000_000))
    }
    try time(frames, nominal: FrameInterval(1, 40), curve, .whole)
  }

  func feedQuantity(_ bytes: [UInt8]) throws(Broken) {
    let text = String(decoding: bytes, as: UTF8.self)
    if let rate = try? FrameRate(text: text) {
      try promise(
        (try? FrameRate(text: rate.exactDescription)) == rate, "\(rate.exactDescription) is another rate")
      _ = FrameInterval(rate)
    }
    if let speed = try? Speed(text: text) { _ = (speed.description, speed.factor.reciprocal) }
    if let duration = try? Duration(text: text) { _ = duration.wholeNanoseconds }
    if let size = try? RingSize(text: text) {
      let frames = FrameFormat(.mjpeg, width: 640, height: 480, acceptedInterval: FrameInterval(1, 240))
      _ = size.byteCount(for: frames, largestFrame: 1 << 20)
    }
    if let trigger = try? TriggerSources.source(text) { _ = trigger.readsInput }
    if let filter = try? FormatFilter(text: text) {
      try promise((try? FormatFilter(text: filter.text)) == filter, "\(filter.text) is another filter")
      _ = filter.admits(fourcc: "MJPG")
    }
    if let setting = try? ControlSetting(text: text) {
      for controls in Self.controls {
        _ = try? ControlPolicy(settings: [setting]).plan(
          for: controls, interval: FrameInterval(1, 240), of: "fuzzed")
      }
    }
    for choice in [(try? ExposureChoice(text: text))].compactMap(\.self) {
      for controls in Self.controls {
        _ = try? ControlPolicy(exposure: choice).plan(
          for: controls, interval: FrameInterval(1, 240), of: "fuzzed")
      }
    }
    if let gain = try? GainChoice(text: text) {
      for controls in Self.controls {
        _ = try? ControlPolicy(gain: gain).plan(
          for: controls, interval: FrameInterval(1, 240), of: "fuzzed")
      }
    }
    if let wish = try? ModeRequest(text: text) {
      try promise((try? ModeRequest(text: wish.description)) == wish, "\(wish) is another mode")
      _ = wish.choice(from: .simulated, .init()).mode
    }
    let crop = try? ClipCrop(text: text)
    let scale = try? ClipScale(text: text)
    if crop != nil || scale != nil { fit(crop, scale) }
  }

  private static let controls: [[CameraControl]] = [
    [],
    [
      CameraControl(
        Control(id: 0x0098_0900, name: "Brightness", minimum: .min, maximum: .max, value: 0)),
      CameraControl(
        Control(id: 0x009a_0901, name: "Auto Exposure", kind: .menu, minimum: 0, maximum: 3, value: 3),
        items: [ControlMenuItem(index: 1, name: "Manual Mode"), ControlMenuItem(index: 3, name: "Auto")]),
      CameraControl(
        Control(
          id: 0x009a_0902, name: "Exposure Time, Absolute", minimum: 1, maximum: .max, value: .max)),
      CameraControl(Control(id: 0x0098_0913, name: "Gain", minimum: -5, maximum: 100, value: 3)),
    ],
  ]

  func feedSimulator(_ bytes: [UInt8]) throws(Broken) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let address = try? SimulatedCameraAddress(text: text) else { return }
    let interval = FrameInterval(1, 240)
    let camera = SimulatedCamera(
      name: text,
      description: SimulatedCameraDescription(modes: [
        .init(format: .grey, width: 256, height: 32, intervals: [interval])
      ]),
      faults: address.faults, clock: VirtualClock(at: Instant(nanoseconds: 1_000_000_000)))
    guard
      var stream = try? camera.start(format: .grey, width: 256, height: 32, interval: interval)
    else { return }
    stream.begin()
    var last: Int64 = -1
    var isRising = true
    for _ in 0..<20 {
      let arrival = try? stream.next(within: .seconds(10)) { frame in
        isRising = isRising && Int64(frame.sequence) > last
        last = Int64(frame.sequence)
      }
      if arrival == nil { break }
    }
    try promise(isRising, "the numbers of a simulated camera's frames do not rise")
  }
}
