import Foundation
import Testing

@testable import V4L2

@Suite("Media bus codes")
struct MediaBusCodeTests {
  @Test("have the names in the kernel's header")
  func names() throws {
    let header = try String(contentsOfFile: "/usr/include/linux/media-bus-format.h", encoding: .utf8)
    var checked = 0
    for line in header.split(separator: "\n") where line.hasPrefix("#define MEDIA_BUS_FMT_") {
      let words = line.split(whereSeparator: \.isWhitespace)
      let value = try #require(UInt32(words[2].dropFirst(2), radix: 16))
      // A header newer than the table may have more.
      guard let name = MediaBusCode.names[value] else { continue }
      #expect(name == words[1].dropFirst("MEDIA_BUS_FMT_".count))
      checked += 1
    }
    #expect(checked > 100)
  }

  @Test("are shown as numbers if they are unknown")
  func unknown() {
    #expect(MediaBusCode(rawValue: 0xfffe).description == "0xfffe")
    #expect(MediaBusCode(rawValue: 0x300f).description == "SRGGB10_1X10")
  }

  @Test("a device number without a device has no node")
  func noNode() {
    #expect(DeviceNumber(major: 1, minor: 3).node == "/dev/null")
    #expect(DeviceNumber(major: 4095, minor: 1_048_575).node == nil)
  }

  @Test("a file that is not a media device or sub-device is refused with its name and the call")
  func refused() {
    do throws(V4L2Error) {
      _ = try MediaDevice(path: "/dev/null")
      Issue.record("/dev/null is no media device")
    } catch {
      #expect(error.call == "MEDIA_IOC_DEVICE_INFO")
      #expect(error.description.hasPrefix("/dev/null: "))
    }
    do throws(V4L2Error) {
      _ = try Subdevice(path: "/dev/v4l-subdev-none")
      Issue.record("there is no such sub-device")
    } catch {
      #expect(error.code == .noDevice)
    }
  }
}
