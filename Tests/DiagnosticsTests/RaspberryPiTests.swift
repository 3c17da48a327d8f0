import CameraModel
import Cameras
import Foundation
import FrameJudge
import Platform
import SystemPackage
import Testing
import Timebase

@testable import Diagnostics

@Suite("The doctor on a Raspberry Pi")
struct RaspberryPiTests {
  private func finding(_ verdict: Diagnosis.Verdict) -> Finding? {
    if case .finding(let finding) = verdict { finding } else { nil }
  }

  private func fine(_ verdict: Diagnosis.Verdict) -> String? {
    if case .fine(let words) = verdict { words } else { nil }
  }

  private func isUnknown(_ verdict: Diagnosis.Verdict) -> Bool {
    if case .unknown = verdict { true } else { false }
  }

  /// 1332x990 in 10 bit at 120 fps: 1,648,350 bytes a frame, 13.2 MB in eight buffers.
  private let raw = ModeLoad(
    Mode(fourcc: "pRAA", width: 1332, height: 990, interval: FrameInterval(1, 120)))

  @Test("reads the facts from /proc, /sys and /boot, and none on another machine")
  func facts() throws {
    let folder = try TemporaryFolder(files: [
      "proc/device-tree/model": "Raspberry Pi 5 Model B Rev 1.0\0",
      "proc/meminfo": "MemAvailable:    4000000 kB\nCmaTotal:          65536 kB\nCmaFree:           10000 kB",
      "boot/firmware/config.txt": "# all\ncamera_auto_detect=1\n",
      "sys/devices/platform/soc/soc:firmware/get_throttled": "50005",
    ])
    let system = SystemFolder(root: FilePath(folder.url.path))
    let pi = try #require(RaspberryPi(in: system))
    #expect(pi.model == "Raspberry Pi 5 Model B Rev 1.0")
    #expect(pi.configuration == ["# all", "camera_auto_detect=1"])
    #expect(pi.contiguousBytes == 10_240_000)
    #expect(pi.throttling == 0x50005)
    #expect(MachineFacts(in: system).raspberryPi == pi)
    let other = try TemporaryFolder(files: ["proc/device-tree/model": "NVIDIA Jetson Nano\0"])
    #expect(RaspberryPi(in: SystemFolder(root: FilePath(other.url.path))) == nil)
    let bare = try TemporaryFolder(files: ["proc/device-tree/model": "Raspberry Pi 3 Model B\0"])
    let unknown = try #require(RaspberryPi(in: SystemFolder(root: FilePath(bare.url.path))))
    #expect(unknown.checks(driver: "unicam", for: raw).count == 3)
    #expect(unknown.checks(driver: "unicam", for: raw).allSatisfy { isUnknown($0.verdict) })
    #expect(
      unknown.checks(driver: "uvcvideo", for: raw).map(\.name) == [
        "supply and temperature", "camera drivers",
      ])
  }

  @Test("tells a low voltage from heat, and the present from what has been")
  func supply() {
    #expect(fine(RaspberryPi.supply(0)) != nil)
    #expect(finding(RaspberryPi.supply(0x50005))?.what == "The supply voltage is too low.")
    #expect(
      finding(RaspberryPi.supply(0x50000))?.what == "The supply voltage has been too low since the start.")
    #expect(finding(RaspberryPi.supply(0xe0008))?.what == "The CPUs are slowed down because they are hot.")
    #expect(finding(RaspberryPi.supply(0x80000))?.what == "The CPUs have been too hot since the start.")
    #expect(isUnknown(RaspberryPi.supply(nil)))
  }

  @Test("finds a config.txt that loads no camera's driver")
  func cameraDrivers() {
    func verdict(_ text: String) -> Diagnosis.Verdict {
      RaspberryPi.cameraDrivers(text.split(separator: "\n").map(String.init))
    }
    #expect(fine(verdict("[all]\ncamera_auto_detect=1"))?.contains("dtoverlay=ov9281") == true)
    #expect(
      fine(verdict("camera_auto_detect=0\ndtoverlay = ov9281,cam0 # mono"))?.contains("driver of ov9281.")
        == true)
    #expect(fine(verdict("dtoverlay=imx477\ndtoverlay=imx296,cam0"))?.contains("imx477, imx296") == true)
    for text in [
      "", "camera_auto_detect=0", "#camera_auto_detect=1\n#dtoverlay=imx219\ndtoverlay=vc4-kms-v3d",
    ] {
      let found = finding(verdict(text))
      #expect(found?.severity == .hint)
      #expect(found?.remedy.contains("camera_auto_detect=1") == true)
    }
  }

  @Test("requires contiguous memory for all buffers of a camera on the ribbon cable")
  func contiguousMemory() {
    #expect(fine(RaspberryPi.contiguousMemory(13_186_800, raw)) != nil)
    let short = finding(RaspberryPi.contiguousMemory(13_186_799, raw))
    #expect(short?.what.contains("needs 13.2 MB for all buffers") == true)
    #expect(short?.remedy.contains("cma-512") == true)
    #expect(isUnknown(RaspberryPi.contiguousMemory(nil, raw)))
    #expect(isUnknown(RaspberryPi.contiguousMemory(1, nil)))
    for interval in [FrameInterval(1, .max), FrameInterval(.max, 1)] {
      let vast = ModeLoad(Mode(fourcc: "pRAA", width: .max, height: .max, interval: interval))
      _ = RaspberryPi.contiguousMemory(1, vast)
    }
  }

  @Test("names the disk and the network adapter on the bus of a USB 2 camera")
  func usbBus() throws {
    let devices = "sys/bus/usb/devices"
    let folder = try TemporaryFolder(files: [
      "\(devices)/usb1/bDeviceClass": "09", "\(devices)/1-1/product": "Hub",
      "\(devices)/1-1:1.0/bInterfaceClass": "09",
      "\(devices)/1-1.1/idVendor": "0424", "\(devices)/1-1.1:1.0/bInterfaceClass": "ff",
      "\(devices)/1-1.1:1.0/net/eth0/mtu": "1500",
      "\(devices)/1-1.2/product": "HD Camera", "\(devices)/1-1.2:1.0/bInterfaceClass": "0e",
      "\(devices)/1-1.3/product": "Extreme", "\(devices)/1-1.3:1.0/bInterfaceClass": "08",
      "\(devices)/1-1.4/product": "Keyboard", "\(devices)/1-1.4:1.0/bInterfaceClass": "03",
      "\(devices)/2-1/product": "SSD", "\(devices)/2-1:1.0/bInterfaceClass": "08",
    ])
    let system = SystemFolder(root: FilePath(folder.url.path))
    let camera = USBDevice(vendorProduct: "32e4:9230", name: "1-1.2", megabitsPerSecond: 480)
    let others = USBBus.others(than: camera, in: system)
    #expect(others == ["the device at 1-1.1 (network)", "Extreme (disk)"])
    let shared = finding(CameraFacts.usbBus(camera, others))
    #expect(shared?.severity == .hint)
    #expect(
      shared?.what == "The camera shares its USB bus with the device at 1-1.1 (network), Extreme (disk).")
    #expect(fine(CameraFacts.usbBus(camera, [])) != nil)
    #expect(fine(CameraFacts.usbBus(nil, nil)) != nil)
    let fast = USBDevice(vendorProduct: "32e4:9230", name: "2-2", megabitsPerSecond: 5000)
    #expect(fine(CameraFacts.usbBus(fast, ["SSD (disk)"])) != nil)
    // One whose name sysfs does not have.
    #expect(USBBus.others(than: fast, in: system) == nil)
    #expect(isUnknown(CameraFacts.usbBus(fast, nil)))
  }

  @Test("names an SD card that is too slow")
  func card() throws {
    let block = "sys/dev/block"
    let folder = try TemporaryFolder(files: [
      "sys/devices/mmcblk0/device/type": "SD", "sys/devices/mmcblk0/mmcblk0p2/partition": "2",
      "sys/devices/mmcblk1/device/type": "MMC", "sys/devices/sda/size": "1",
    ])
    try FileManager.default.createDirectory(atPath: folder.path(block), withIntermediateDirectories: true)
    for (number, disk) in [
      "179:0": "mmcblk0", "179:2": "mmcblk0/mmcblk0p2", "179:8": "mmcblk1", "8:0": "sda",
    ] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path("\(block)/\(number)"), withDestinationPath: folder.path("sys/devices/\(disk)"))
    }
    let system = SystemFolder(root: FilePath(folder.url.path))
    func isCard(_ major: UInt32, _ minor: UInt32) -> Bool {
      FilePath.isSDCard(major: major, minor: minor, in: system)
    }
    #expect(isCard(179, 0) && isCard(179, 2))
    #expect(!isCard(179, 8) && !isCard(8, 0) && !isCard(0, 33))
    let slow = finding(DiskFacts.verdict("/films", bytesPerSecond: 20_000_000, isSDCard: true, for: raw))
    #expect(slow?.what.hasPrefix("The SD card of /films can write 20 MB/s") == true)
    #expect(slow?.remedy.hasPrefix("Record to a disk at a USB 3 port") == true)
  }
}
