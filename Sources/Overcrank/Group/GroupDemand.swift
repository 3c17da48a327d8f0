import CameraModel
import Cameras
import Capture
import Diagnostics
import FoundationEssentials
import Platform
import SystemPackage
import Takes
import Timebase

/// The memory, the disk space and the USB bandwidth that several cameras need together, and what the machine has
/// of them.
public struct GroupDemand: Sendable {
  /// The needs of one camera.
  struct Camera: Sendable {
    /// The size of its ring in bytes, if nothing limits it.
    var ringBytes: Int
    /// Whether the user chose that size.
    var isRingChosen: Bool
    /// The data rate in bytes per second: exact for raw modes, at least that for others; `nil` if unknown.
    var bytesPerSecond: Double?
    /// The same for raw modes alone, whose data crosses the bus as it is; `nil` for others.
    var busBytesPerSecond: Int64?
    /// The highest possible data rate in bytes per second; `nil` if unbounded.
    var mostBytesPerSecond: Int64?
    /// The USB device; `nil` if there is none.
    var usb: USBDevice?
  }

  /// The cameras.
  let cameras: [Camera]
  /// The memory for rings in bytes; `nil` if unknown.
  let availableBytes: Int?
  /// The free bytes of the disk for the takes; `nil` if unknown.
  let freeBytes: Int64?
  /// The time that each take lasts after its trigger; `nil` if unknown.
  let duration: Duration?
  /// The time before each trigger.
  let preRoll: Duration
  /// The number of takes; `nil` if unknown.
  let takeCount: Int?

  /// The sum of the rings in bytes, if nothing limits them.
  var ringBytes: Int { cameras.reduce(0) { $0.adding(clamping: $1.ringBytes) } }

  /// Refuses rings that the memory cannot hold together.
  ///
  /// - Throws: `OvercrankError` if the user chose such sizes.
  func check() throws(OvercrankError) {
    guard cameras.contains(where: \.isRingChosen), let availableBytes, ringBytes > availableBytes else {
      return
    }
    throw OvercrankError(
      .inputOutput,
      "The rings of \(cameras.count) cameras need \(ringBytes >> 20) MiB of memory, and \(availableBytes >> 20) MiB "
        + "are available. Choose smaller rings, a shorter pre-roll or smaller modes.", remedy: .needLessMemory
    )
  }

  /// The size of each ring: the usual one, or less if the memory cannot hold all of them. The rings take at
  /// most half of the memory, as that of a lone camera does.
  var rings: [Int] {
    guard isTight, let availableBytes else { return cameras.map(\.ringBytes) }
    let (room, all) = (Int128(availableBytes / 2), Int128(max(1, ringBytes)))
    return cameras.map { camera in
      camera.isRingChosen ? camera.ringBytes : Int(clamping: Int128(camera.ringBytes) * room / all)
    }
  }

  /// Whether the usual rings take more than half of the memory.
  var isTight: Bool { availableBytes.map { ringBytes > $0 / 2 } ?? false }

  /// Remarks on what the machine may not hold, with numbers; empty if it holds everything.
  public var remarks: [String] { [memoryRemark, spaceRemark].compactMap(\.self) + busRemarks }

  private var memoryRemark: String? {
    guard isTight, let availableBytes, !cameras.allSatisfy(\.isRingChosen) else { return nil }
    let given = rings.reduce(0) { $0.adding(clamping: $1) }
    return
      "The rings of \(cameras.count) cameras would be \(ringBytes >> 20) MiB, and \(availableBytes >> 20) MiB of memory are "
      + "available, so they are \(given >> 20) MiB: a pre-roll may be shorter than requested. Close other programs, or "
      + "record smaller modes."
  }

  /// A remark if the disk surely cannot hold the masters; also for a lone camera.
  var spaceRemark: String? {
    guard let freeBytes, let duration, let takeCount else { return nil }
    let bytes = zip(cameras, rings).reduce(Int64(0)) { sum, entry in
      let (rate, ring) = (entry.0.bytesPerSecond ?? 0, entry.1)
      // A pre-roll is never more than the ring holds.
      let before = min(rate * (preRoll / .seconds(1)), Double(ring))
      let take = before + rate * (duration / .seconds(1))
      return sum.adding(clamping: Int64(clamping: take * Double(takeCount)))
    }
    guard bytes > freeBytes else { return nil }
    let masters =
      cameras.count > 1
      ? "The masters of \(cameras.count) cameras take"
      : takeCount > 1 ? "The masters take" : "The master takes"
    return
      "\(masters) at least \(bytes.sizeWords), and \(freeBytes.sizeWords) of the disk are free: recording ends when it "
      + "is full. Free some space, or choose another folder."
  }

  private var busRemarks: [String] {
    sharedBuses.filter { $0.need > $0.most }.map { bus in
      "\(bus.words), so one may not start, or frames will be lost. Record compressed or smaller modes, or use a port of "
        + "another USB controller."
    }
  }

  /// A USB bus that several cameras share.
  struct SharedBus {
    let name: String
    let cameraCount: Int
    /// Whether the needs of all of them are known.
    let isKnown: Bool
    /// The bytes per second that the modes need, as far as they are known, and those that the bus carries.
    let (need, most): (Int64, Int64)

    /// Both numbers in words, to be continued.
    var words: String {
      "\(cameraCount) cameras share USB bus \(name): their modes need \(need / 1_000_000) MB/s, and the bus carries about "
        + "\(most / 1_000_000) MB/s"
    }
  }

  /// The USB buses that several cameras share, by their names.
  var sharedBuses: [SharedBus] {
    let buses = Dictionary(grouping: cameras.compactMap { camera in camera.usb.map { (camera, $0) } }) {
      entry in
      entry.1.name.map { String($0.prefix { $0 != "-" }) }
    }
    return buses.keys.compactMap(\.self).sorted().compactMap { bus in
      let entries = buses[bus] ?? []
      guard entries.count > 1, let speed = entries.compactMap(\.1.megabitsPerSecond).max() else { return nil }
      let needs = entries.compactMap(\.0.busBytesPerSecond)
      return SharedBus(
        name: bus, cameraCount: entries.count, isKnown: needs.count == entries.count,
        need: needs.reduce(0) { $0.adding(clamping: $1) },
        most: Int64(clamping: USBDevice.mostBytesPerSecond(at: speed)))
    }
  }
}

extension GroupDemand {
  /// Creates the demand of `plans` on this machine.
  ///
  /// - Parameters:
  ///   - plans: the plans of the cameras.
  ///   - devices: the cameras.
  ///   - folder: the folder of the takes.
  init(of plans: [RecordingPlan], _ devices: [CaptureDevice], in folder: FilePath) {
    cameras = zip(plans, devices).map { plan, device in
      let (width, height) = (Int(plan.mode.width), Int(plan.mode.height))
      let frames = FrameFormat(
        plan.mode.pixelFormat ?? .mjpeg, width: width, height: height, acceptedInterval: plan.mode.interval)
      let largest = plan.format.codec.byteCount(width: width, height: height) ?? 2 * width * height
      let size =
        plan.request.capture.ring
        ?? .usual(for: frames, largestFrame: largest, preRoll: plan.session.preRoll, available: nil)
      let load = ModeLoad(plan.mode)
      return Camera(
        ringBytes: size.byteCount(for: frames, largestFrame: largest),
        isRingChosen: plan.request.capture.ring != nil,
        bytesPerSecond: RingSize.leastBytesPerSecond(of: plan.mode),
        busBytesPerSecond: load.bytesPerSecond, mostBytesPerSecond: load.mostBytesPerSecond, usb: device.usb)
    }
    availableBytes = SystemMemory.availableBytes
    freeBytes = folder.bytesFree
    let session = plans.first?.session
    (duration, takeCount) = (session?.limit.duration, session?.takeCount)
    preRoll = session?.preRoll ?? .zero
  }

  /// Creates the demand of recordings in these modes, with the usual rings and of unknown length, on a disk with
  /// `freeBytes`.
  init(of modes: [(mode: Mode, device: CaptureDevice)], freeBytes: Int64?) {
    cameras = modes.map { mode, device in
      let load = ModeLoad(mode)
      return Camera(
        ringBytes: Int(clamping: load.ringBytes), isRingChosen: false,
        bytesPerSecond: RingSize.leastBytesPerSecond(of: mode), busBytesPerSecond: load.bytesPerSecond,
        mostBytesPerSecond: load.mostBytesPerSecond, usb: device.usb)
    }
    availableBytes = SystemMemory.availableBytes
    self.freeBytes = freeBytes
    (duration, takeCount, preRoll) = (nil, nil, .zero)
  }
}
