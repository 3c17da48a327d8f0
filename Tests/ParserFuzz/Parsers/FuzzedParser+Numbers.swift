import CameraModel
import Cameras
import Capture
import Diagnostics
import Foundation
import Media
import Platform
import Retime
import Simulator
import Timebase
import V4L2

extension FuzzedParser {
  private static let profiles = ProfileLibrary(userFolder: "/nonexistent")
  private static let rates = ["1", "30", "119.88", "240", "1000000"].compactMap { try? FrameRate(text: $0) }

  /// Everything computed from a table before a camera is opened.
  func reckon(_ table: CameraTable) throws(Broken) {
    let table = table.described(by: Self.profiles)
    for preference in [nil, ModeChoice.Preference.unbinned] {
      for rate in Self.rates {
        let choice = ModeChoice(from: table, for: .init(rate: rate, .init(preference: preference)))
        try encode(choice)
        guard let mode = choice.mode, let given = mode.rate else { continue }
        try promise(
          mode.measuredFramesPerSecond != nil
            || given.framesPerSecond >= rate.framesPerSecond * Fraction(99, 100),
          "\(mode) was chosen for \(rate) fps")
      }
    }
    _ = (ModeChoice.preferences(from: table), ModeChoice(largestFrom: table))
    for width in [0, 1, 80, Int.max] { _ = ModeSheet(table, showsAll: true).text(.init(width: width)) }
    _ = ModeSheet(table).csv
    for mode in table.modes.prefix(100) {
      _ = (mode.description, ModeLoad(mode))
      _ = RateLimitingControl.all(in: [], at: mode.interval)
      try simulate(mode, of: table)
    }
    do { _ = try JSONEncoder().encode(table) } catch {
      throw Broken("a table with what its profile says cannot be written: \(error)")
    }
  }

  private func encode(_ value: some Encodable) throws(Broken) {
    do { _ = try JSONEncoder().encode(value) } catch { throw Broken("cannot be written: \(error)") }
  }

  /// A simulated camera sends some frames of `mode`, if they are small.
  private func simulate(_ mode: Mode, of table: CameraTable) throws(Broken) {
    guard mode.width <= 512, mode.height <= 64 else { return }
    let camera = SimulatedCamera(
      description: SimulatedCameraDescription(table),
      clock: VirtualClock(at: Instant(nanoseconds: 1_000_000_000)))
    guard var stream = try? camera.start(mode) else { return }
    stream.begin()
    for _ in 0..<3 { _ = try? stream.next(within: .seconds(Int64.max)) { _ in } }
  }

  /// The clips of sources of several sizes with this crop and scale.
  func fit(_ crop: ClipCrop?, _ scale: ClipScale?) {
    for (width, height) in [(1, 1), (640, 480), (16384, 16384), (Int(Int32.max), Int(Int32.max))] {
      let video = VideoTrack(codec: .mjpeg, width: width, height: height)
      let stages: [(any MovingStage)?] = [crop, scale]
      guard let geometry = try? ClipGeometry(of: video, stages.compactMap(\.self)) else { continue }
      _ = (geometry.processingPixelCount(of: video), geometry.reducedCrop)
    }
  }

  /// Possible answers of ioctls.
  func feedDriver(_ bytes: [UInt8]) throws(Broken) {
    var numbers = NumberSource(bytes)
    switch numbers.byte() % 4 {
    case 0: try feedEnumeration(&numbers)
    case 1: feedFormat(&numbers)
    case 2: feedControls(&numbers)
    default: feedTopology(&numbers)
    }
  }

  /// Lists of formats, sizes and intervals.
  private func feedEnumeration(_ numbers: inout NumberSource) throws(Broken) {
    var table = CameraTable(
      card: numbers.element(of: ["imx708", "HD USB Camera", nil]), driver: "fuzzed", rows: [])
    if numbers.bool() { table.native = size(&numbers) }
    while !numbers.isEmpty, table.rows.count < 8 {
      let format = PixelFormat(
        rawValue: numbers.bool()
          ? numbers.number() : numbers.element(of: [PixelFormat.mjpeg, .yuyv, .grey, .nv12]).rawValue)
      let size: FrameSize =
        switch numbers.byte() % 3 {
        case 0: .stepwise(min: size(&numbers), max: size(&numbers), step: size(&numbers))
        case 1: .continuous(min: size(&numbers), max: size(&numbers))
        default: .discrete(width: numbers.number(), height: numbers.number())
        }
      var row = ModeRow(fourcc: format.description, size: size)
      for _ in 0..<numbers.byte() % 4 {
        let entry: FrameIntervals =
          switch numbers.byte() % 4 {
          case 0: .stepwise(min: interval(&numbers), max: interval(&numbers), step: interval(&numbers))
          case 1: .continuous(min: interval(&numbers), max: interval(&numbers))
          default: .discrete(interval(&numbers))
          }
        row.add(entry)
      }
      if numbers.bool() {
        row.readout.crop = (0..<4).map { _ in Int(numbers.number(UInt32.self)) }
      }
      table.rows.append(row)
    }
    try reckon(table)
  }

  private func size(_ numbers: inout NumberSource) -> Dimensions {
    Dimensions(width: numbers.number(), height: numbers.number())
  }

  private func interval(_ numbers: inout NumberSource) -> FrameInterval {
    FrameInterval(numbers.number(), numbers.number())
  }

  /// A driver's answer to a format.
  private func feedFormat(_ numbers: inout NumberSource) {
    let planes = Int(numbers.byte() % 9)
    var format = CaptureFormat(numbers.element(of: Self.formats), size: size(&numbers))
    format.bytesPerLine = (0..<planes).map { _ in numbers.number() }
    format.sizeImage = (0..<planes).map { _ in numbers.number() }
    guard (try? format.check(on: "fuzzed")) != nil else { return }
    let geometry = FrameGeometry(of: format)
    let frames = FrameFormat(
      format.pixelFormat, width: Int(format.width), height: Int(format.height),
      acceptedInterval: interval(&numbers))
    let largest = geometry.largestFrame(of: format)
    _ = geometry.planes.map(\.end)
    for preRoll in [Duration.zero, .nanoseconds(1 << 60)] {
      _ = RingSize.usual(for: frames, largestFrame: largest, preRoll: preRoll, available: 1 << 40)
        .byteCount(for: frames, largestFrame: largest)
    }
    _ = RingSize.duration(.nanoseconds(.max / 2)).byteCount(for: frames, largestFrame: largest)
  }

  private static let formats = ["MJPG", "YUYV", "NV12", "NM12", "YU12", "YM12", "GREY", "pRAA", "RG10"]
    .compactMap { PixelFormat(fourcc: $0) }

  /// A sensor's blanking, an exposure, menus.
  private func feedControls(_ numbers: inout NumberSource) {
    let interval = interval(&numbers)
    let size = size(&numbers)
    let ids: [UInt32] = [
      0x009e_0901, 0x009e_0902, 0x009f_0902, 0x009a_0901, 0x009a_0902, 0x009a_0903, 0x0098_0913, 0x0098_0918,
    ]
    var controls: [Control] = []
    while !numbers.isEmpty, controls.count < 12 {
      let control = Control(
        id: numbers.element(of: ids), name: "fuzzed",
        kind: numbers.element(of: [.integer, .menu, .boolean, .integer64, .bitmask, .string]),
        minimum: numbers.number(), maximum: numbers.number(), step: numbers.number(),
        defaultValue: numbers.number(), value: numbers.bool() ? numbers.number() : nil)
      controls.append(control)
    }
    if let blanking = SensorBlanking(controls, size: size) {
      _ = (blanking.range, blanking.interval, blanking.lines(for: interval))
    }
    let all = controls.map { CameraControl($0, items: [ControlMenuItem(index: numbers.number(), name: "a")]) }
    for exposure in [
      nil, ExposureChoice.auto, .time(.milliseconds(2)),
      .time(.seconds(3600)),
    ] {
      _ = try? ControlPolicy(exposure: exposure, gain: .value(.max)).plan(
        for: all, interval: interval, of: "fuzzed")
    }
    _ = RateLimitingControl.all(in: all, at: interval)
    _ = try? JSONEncoder().encode(all)
  }

  /// A media graph: links to nowhere and in circles.
  private func feedTopology(_ numbers: inout NumberSource) {
    let device = DeviceNumber(major: 81, minor: 0)
    var topology = MediaTopology(
      entities: [], interfaces: [.init(id: 1, device: device)], pads: [], links: [])
    while !numbers.isEmpty, topology.links.count < 32 {
      switch numbers.byte() % 4 {
      case 0:
        topology.entities.append(
          .init(
            id: numbers.number(), name: "e",
            function: numbers.bool() ? .sensor : EntityFunction(rawValue: numbers.number())))
      case 1:
        topology.pads.append(
          .init(
            id: numbers.number(), entity: numbers.number(), index: numbers.number(),
            flags: PadFlags(rawValue: numbers.number())))
      default:
        topology.links.append(
          .init(
            source: numbers.number(), sink: numbers.number(), flags: LinkFlags(rawValue: numbers.number())))
      }
    }
    _ = SensorChain(in: topology, to: device, from: numbers.bool() ? "e" : nil)
  }
}
