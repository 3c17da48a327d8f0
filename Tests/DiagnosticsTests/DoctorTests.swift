import CameraModel
import Cameras
import FrameJudge
import Foundation
import Platform
import Simulator
import SystemPackage
import Testing
import Timebase
import V4L2

@testable import Diagnostics

@Suite("The doctor's checks")
struct DoctorTests {
  private func finding(_ verdict: Diagnosis.Verdict) -> Finding? {
    if case .finding(let finding) = verdict { finding } else { nil }
  }

  private func isFine(_ verdict: Diagnosis.Verdict) -> Bool {
    if case .fine = verdict { true } else { false }
  }

  private func isUnknown(_ verdict: Diagnosis.Verdict) -> Bool {
    if case .unknown = verdict { true } else { false }
  }

  // An ordinary user's limits on Debian.
  private static let limits = """
    Limit                     Soft Limit           Hard Limit           Units
    Max locked memory         8388608              unlimited            bytes
    Max nice priority         0                    0
    Max realtime priority     0                    95
    Max realtime timeout      unlimited            unlimited            us
    """

  @Test("compute a load even for a mode larger than any memory", arguments: ["MJPG", "YUYV", "H264", "????"])
  func impossibleModes(_ fourcc: String) {
    for interval in [FrameInterval(1, .max), FrameInterval(.max, 1), FrameInterval(1, 240)] {
      let load = ModeLoad(Mode(fourcc: fourcc, width: .max, height: .max, interval: interval))
      #expect(load.ringBytes > 0)
      #expect(load.mostBytesPerSecond ?? 1 >= 0)
    }
  }

  @Test("read a user's machine from /proc and /sys")
  func machine() throws {
    let folder = try TemporaryFolder(files: [
      "proc/sys/kernel/osrelease": "6.12.57+deb13-amd64",
      "proc/self/task/1/status": "Name:\tx\nCapPrm:\t0000000000000000",
      "proc/self/limits": Self.limits, "proc/meminfo": "MemTotal:  8000000 kB\nMemAvailable:    4000000 kB",
      "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor": "powersave",
      "sys/devices/system/cpu/cpu10/cpufreq/scaling_governor": "schedutil",
      "sys/devices/system/cpu/cpu2/cpufreq/scaling_governor": "schedutil",
      "sys/devices/system/cpu/cpu2/cpufreq/scaling_driver": "acpi-cpufreq",
      "sys/devices/system/cpu/cpufreq/boost": "1",
    ])
    let facts = MachineFacts(in: SystemFolder(root: FilePath(folder.url.path)))
    #expect(facts.kernel == "6.12.57+deb13-amd64")
    #expect(facts.mayRunInRealTime == false)
    #expect(facts.lockableBytes == 8_388_608)
    #expect(facts.availableBytes == 4_096_000_000)
    #expect(facts.governors.map(\.cpu) == [0, 2, 10])
    let findings = Diagnosis(checks: facts.checks(ringBytes: 512 << 20)).findings
    #expect(findings.count == 3)
    #expect(findings.allSatisfy { $0.severity == .problem && !$0.why.isEmpty })
    #expect(findings[0].remedy == "sudo setcap cap_sys_nice,cap_ipc_lock+p $(readlink -f $(which overcrank))")
    #expect(findings[2].what == "The governor of 1 of 3 CPUs is powersave.")
  }

  @Test("accept either capabilities or limits")
  func allowed() throws {
    // Bits 14 and 23.
    let capable = try TemporaryFolder(files: [
      "proc/self/task/1/status": "CapPrm:\t0000000000000000",
      "proc/self/task/2/status": "CapPrm:\t0000000000804000", "proc/self/limits": Self.limits,
    ])
    let limits = Self.limits.replacing("8388608   ", with: "unlimited ")
      .replacing("priority     0 ", with: "priority     20 ")
    let limited = try TemporaryFolder(files: [
      "proc/self/task/1/status": "CapPrm:\t0000000000000000", "proc/self/limits": limits,
    ])
    for folder in [capable, limited] {
      let facts = MachineFacts(in: SystemFolder(root: FilePath(folder.url.path)))
      #expect(facts.mayRunInRealTime == true)
      #expect(facts.lockableBytes == .max)
    }
  }

  @Test("report facts without a file as unknown, not as findings")
  func unknown() throws {
    let folder = try TemporaryFolder(files: [:])
    let facts = MachineFacts(in: SystemFolder(root: FilePath(folder.url.path)))
    #expect(facts == MachineFacts())
    let checks = facts.checks(ringBytes: 1)
    #expect(checks.allSatisfy { isUnknown($0.verdict) })
    #expect(USBDevice(ofNode: "video0", in: SystemFolder(root: FilePath(folder.url.path))) == nil)
  }

  @Test("find powersave, except where the processor chooses its own clock")
  func governor() {
    func verdict(_ name: String, _ driver: String?) -> Diagnosis.Verdict {
      MachineFacts.governor([.init(cpu: 0, name: name, driver: driver)])
    }
    #expect(finding(verdict("powersave", "acpi-cpufreq")) != nil)
    #expect(finding(verdict("powersave", nil)) != nil)
    #expect(isFine(verdict("powersave", "intel_pstate")))
    #expect(isFine(verdict("performance", "acpi-cpufreq")))
  }

  @Test("require available memory of twice the ring's size")
  func memory() {
    #expect(isFine(MachineFacts.memory(200, ringBytes: 100)))
    #expect(finding(MachineFacts.memory(199, ringBytes: 100)) != nil)
  }

  /// 640x480 YUYV at 240 fps: 147.456 MB/s.
  private let raw = ModeLoad(Mode(fourcc: "YUYV", width: 640, height: 480, interval: FrameInterval(1, 240)))
  private let compressed = ModeLoad(
    Mode(fourcc: "MJPG", width: 640, height: 480, interval: FrameInterval(1, 240)))

  @Test("compute a mode's load from its frames, unless they are compressed")
  func load() {
    #expect(raw.bytesPerSecond == 147_456_000)
    #expect(raw.mostBytesPerSecond == 147_456_000)
    #expect(compressed.bytesPerSecond == nil)
    #expect(compressed.mostBytesPerSecond == 147_456_000)
    let mosaic = ModeLoad(Mode(fourcc: "pRAA", width: 640, height: 480, interval: FrameInterval(1, 240)))
    #expect(mosaic.bytesPerSecond == 92_160_000)
    let other = ModeLoad(Mode(fourcc: "H264", width: 640, height: 480, interval: FrameInterval(1, 240)))
    #expect(other.bytesPerSecond == nil && other.mostBytesPerSecond == nil)
  }

  @Test("require a disk that is a quarter faster than the mode")
  func disk() {
    func verdict(_ speed: Int64?, _ load: ModeLoad?) -> Diagnosis.Verdict {
      DiskFacts.verdict("/films", bytesPerSecond: speed, for: load)
    }
    #expect(isFine(verdict(184_320_000, raw)))
    let slow = finding(verdict(184_319_999, raw))
    #expect(slow?.what.contains("147.5 MB/s") == true)
    #expect(isFine(verdict(184_320_000, compressed)))
    #expect(isUnknown(verdict(184_319_999, compressed)))
    #expect(isFine(verdict(1, nil)))
    #expect(isUnknown(verdict(nil, raw)))
  }

  @Test("require a disk with space for half a minute of the mode")
  func space() {
    func verdict(_ free: Int64?, _ load: ModeLoad) -> Diagnosis.Verdict {
      DiskFacts.space("/films", bytesFree: free, for: load)
    }
    #expect(isFine(verdict(147_456_000 * 30, raw)))
    let small = finding(verdict(147_456_000, raw))
    #expect(small?.what.contains("has 147.5 MB free: about 1 s of") == true)
    #expect(finding(verdict(0, compressed))?.what.contains("has 0 B free: at most 0 s of") == true)
    #expect(isUnknown(verdict(nil, raw)))
  }

  @Test("read a USB camera from sysfs through the node's link")
  func usb() throws {
    let device = "sys/devices/pci0000:00/0000:00:14.0/usb1/1-2"
    let folder = try TemporaryFolder(files: [
      "\(device)/idVendor": "32e4", "\(device)/idProduct": "9230", "\(device)/speed": "480",
      "\(device)/version": " 2.10", "\(device)/power/control": "auto",
      "\(device)/1-2:1.0/bInterfaceClass": "0e",
    ])
    let node = folder.path("sys/class/video4linux/video0")
    try FileManager.default.createDirectory(atPath: node, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: "\(node)/device", withDestinationPath: folder.path("\(device)/1-2:1.0"))
    let usb = try #require(USBDevice(ofNode: "video0", in: SystemFolder(root: FilePath(folder.url.path))))
    #expect(
      usb
        == USBDevice(
          vendorProduct: "32e4:9230", name: "1-2", megabitsPerSecond: 480, version: 2.1, isAutosuspended: true
        ))
    let sleep = finding(CameraFacts.autosuspend(usb))
    #expect(sleep?.severity == .hint)
    #expect(sleep?.remedy == "echo on | sudo tee /sys/bus/usb/devices/1-2/power/control")
  }

  @Test(
    "find a USB link that is slower than the camera supports",
    arguments: [
      (480, 2.0, true), (480, 2.1, false), (480, 3.2, false), (5000, 3.0, true), (12, 2.0, false),
      (10000, 3.2, true),
    ])
  func usbSpeed(_ speed: Double, _ version: Double, _ isFine: Bool) {
    let usb = USBDevice(vendorProduct: "32e4:9230", megabitsPerSecond: speed, version: version)
    #expect(self.isFine(CameraFacts.usbSpeed(usb)) == isFine)
    #expect(isUnknown(CameraFacts.autosuspend(usb)))
  }

  @Test("find a bus that is too slow for an uncompressed mode; for a compressed one, it is unknown")
  func usbBandwidth() {
    let slow = USBDevice(vendorProduct: "32e4:9230", megabitsPerSecond: 480, version: 2)
    let fast = USBDevice(vendorProduct: "32e4:9230", megabitsPerSecond: 5000, version: 3)
    #expect(finding(CameraFacts.usbBandwidth(slow, raw))?.why.contains("ENOSPC") == true)
    #expect(isFine(CameraFacts.usbBandwidth(fast, raw)))
    #expect(isUnknown(CameraFacts.usbBandwidth(slow, compressed)))
    #expect(isFine(CameraFacts.usbBandwidth(nil, raw)))
  }

  @Test("name the group of a node that the user may not open, or how to change it")
  func access() {
    let refused = OvercrankError(.noPermission, "no")
    let usual = finding(
      CameraFacts.access("/dev/video0", refused, NodeAccess(owner: "root", group: "video", mode: 0o660)))
    #expect(usual?.what.contains("user root and group video, mode 0660") == true)
    #expect(usual?.remedy == "sudo usermod -aG video $USER, then log in again")
    let root = finding(
      CameraFacts.access("/dev/video0", refused, NodeAccess(owner: "root", group: "root", mode: 0o600)))
    #expect(root?.remedy.hasPrefix("sudo chgrp video /dev/video0") == true)
    #expect(isFine(CameraFacts.access("/dev/video0", nil, nil)))
  }

  @Test("name the program that uses a camera; if the camera cannot tell, it is unknown")
  func use() throws {
    let folder = try TemporaryFolder(files: ["proc/310/comm": "obs"])
    try FileManager.default.createDirectory(
      atPath: folder.path("proc/310/fd"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("proc/310/fd/4"), withDestinationPath: "/dev/video7")
    let holders = DeviceHolder.all(of: "/dev/video7", in: SystemFolder(root: FilePath(folder.url.path)))
    let busy = finding(CameraFacts.use("/dev/video7", true, holders))
    #expect(busy?.what == "Another program captures from /dev/video7: obs (process 310).")
    #expect(busy?.remedy == "kill 310")
    #expect(isFine(CameraFacts.use("/dev/video7", false, holders)))
    #expect(isUnknown(CameraFacts.use("/dev/video7", nil, holders)))
  }

  /// Returns a webcam's controls: automatic (3) or manual (1) exposure, its time, dynamic rate, power line.
  private func controls(mode: Int64, time: Int64, dynamic: Int64, powerLine: Int64) -> [CameraControl] {
    [
      Control(id: 0x009a_0901, name: "Auto Exposure", kind: .menu, minimum: 0, maximum: 3, value: mode),
      Control(id: 0x009a_0902, name: "Exposure Time, Absolute", minimum: 3, maximum: 2047, value: time),
      Control(
        id: 0x009a_0903, name: "Exposure, Dynamic Framerate", kind: .boolean, minimum: 0, maximum: 1,
        value: dynamic),
      Control(
        id: 0x0098_0918, name: "Power Line Frequency", kind: .menu, minimum: 0, maximum: 2, value: powerLine),
    ].map { CameraControl($0) }
  }

  @Test("find controls that limit the rate, with the setting that fixes each")
  func controls() {
    func found(_ controls: [CameraControl]) -> [Finding] {
      Diagnosis(checks: CameraFacts.controls("/dev/video0", controls, raw)).findings
    }
    let dark = found(controls(mode: 3, time: 250, dynamic: 1, powerLine: 1))
    #expect(
      dark.map(\.action) == [
        .setControl("exposure_dynamic_framerate", value: 0, camera: "/dev/video0"),
        .setControl("power_line_frequency", value: 0, camera: "/dev/video0"),
      ])
    #expect(dark.map(\.severity) == [.problem, .hint])
    #expect(dark[0].why.contains("4.17 ms"))
    let fixed = found(controls(mode: 1, time: 250, dynamic: 0, powerLine: 2))
    #expect(
      fixed.map(\.action) == [.setControl("exposure_time_absolute", value: 41, camera: "/dev/video0")])
    #expect(fixed[0].what == "exposure_time_absolute is fixed at 25 ms.")
    #expect(found(controls(mode: 1, time: 41, dynamic: 0, powerLine: 1)).isEmpty)
    #expect(found(controls(mode: 3, time: 250, dynamic: 0, powerLine: 0)).isEmpty)
    #expect(found([]).isEmpty)
  }

  @Test("are clean if there are only hints")
  func clean() {
    let hint = Diagnosis.Check("x", .finding(Finding("a", why: "b", remedy: "c", severity: .hint)))
    #expect(Diagnosis(checks: [hint]).isClean)
    let problem = Diagnosis.Check("x", .finding(Finding("a", why: "b", remedy: "c")))
    #expect(!Diagnosis(checks: [hint, problem]).isClean)
  }
}
