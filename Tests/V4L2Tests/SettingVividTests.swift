import FrameJudge
import SystemPackage
import Testing
import Timebase
import V4L2

@Suite("Settings of the kernel's test camera", .serialized, .tags(.kernel), .needs(KernelCameras.vivid))
struct SettingVividTests {
  private let node = KernelCameras.vivid ?? ""
  /// `V4L2_CID_BRIGHTNESS`.
  private let brightness: UInt32 = 0x0098_0900

  @Test("can be changed only by the program that records")
  func priority() throws {
    let recorder = try Device(path: FilePath(node))
    let other = try Device(path: FilePath(node))
    let before = try #require(other.control(brightness)?.value)
    let usual = try other.priority()
    #expect(usual == .interactive)
    try recorder.setPriority(.record)
    let highest = try other.priority()
    #expect(highest == .record)
    #expect(Priority.background < .record)
    do throws(V4L2Error) {
      try other.setControl(brightness, to: 12)
      Issue.record("a control was set against a higher priority")
    } catch {
      #expect(error.code == .busy)
      #expect(error.errno?.rawValue == 16)
    }
    let untouched = other.control(brightness)?.value
    #expect(untouched == before)
    try recorder.setControl(brightness, to: 12)
    let set = other.control(brightness)?.value
    #expect(set == 12)

    _ = consume recorder
    let after = try other.priority()
    #expect(after == .interactive)
    try other.setControl(brightness, to: before)
  }

  @Test(
    "crop the captured picture, and return the result", .enabled(if: KernelCameras.vividInputs.count == 4),
    arguments: [KernelCameras.vivid, KernelCameras.multiplanarVivid].compactMap { $0 })
  func crop(_ node: String) throws {
    let device = try Device(path: FilePath(node))
    defer { try? device.setInput(0) }
    let television = try #require(device.inputs().collect().first { $0.name.hasPrefix("S-Video") }).index
    try device.setInput(television)
    let chosen = try device.input()
    #expect(chosen == television)
    let bounds = try #require(try device.selection(.cropBounds))
    let asked = Rectangle(left: 16, top: 16, width: bounds.width / 2, height: bounds.height / 2)
    let given = try device.setSelection(.crop, to: asked)
    #expect(given == asked)
    let read = try device.selection(.crop)
    #expect(read == given)
    let tooLarge = Rectangle(left: 0, top: 0, width: bounds.width * 2, height: bounds.height * 2)
    let fitted = try device.setSelection(.crop, to: tooLarge)
    #expect(fitted == bounds)
    do throws(V4L2Error) {
      // vivid's least crop is 2x2.
      try device.setSelection(.crop, to: Rectangle(left: 0, top: 0, width: 1, height: 1), flags: .atMost)
      Issue.record("a crop of one pixel was taken")
    } catch {
      #expect(error.code == .unsupported)
      #expect(error.description.contains("flags"))
    }
  }

  @Test("that the current input lacks are refused with the call")
  func noSelection() throws {
    let device = try Device(path: FilePath(node))
    do throws(V4L2Error) {
      try device.setSelection(.crop, to: Rectangle(left: 0, top: 0, width: 64, height: 64))
      Issue.record("vivid's webcam was cropped")
    } catch {
      #expect(error.code == .unsupported)
      #expect(error.call == "VIDIOC_S_SELECTION")
    }
  }

  @Test(
    "for inputs are listed as v4l2-ctl lists them, and are fixed while there are buffers",
    .enabled(if: KernelCameras.vividInputs.count == 4))
  func inputs() throws {
    let device = try Device(path: FilePath(node))
    let inputs = try device.inputs().collect()
    #expect(inputs.map(\.name) == KernelCameras.vividInputs)
    #expect(inputs.map(\.index) == [0, 1, 2, 3])
    #expect(inputs[0].kind == .camera)
    #expect(inputs[1].kind == .tuner)
    let queue = try Device(path: FilePath(node)).configure(.yuyv, width: 320, height: 180, interval: nil)
      .requestBuffers(count: 2)
    do throws(V4L2Error) {
      try queue.device.setInput(3)
      Issue.record("the input was changed under the buffers")
    } catch {
      #expect(error.code == .busy)
      #expect(error.description.contains("stop the stream"))
    }
    try queue.stop()
  }

  @Test("in menus are listed item by item, without those that the driver omits")
  func menus() throws {
    let device = try Device(path: FilePath(node))
    let controls = try device.controls().collect()
    #expect(controls.count > 50)
    #expect(controls.allSatisfy { !$0.flags.contains(.disabled) })
    let control = try #require(controls.first { $0.name == "Menu" })
    let items = try device.menu(of: control).collect()
    #expect(items.map(\.index) == [1, 3, 4])
    let limited = try device.controls().collect(limit: 3)
    #expect(limited.count == 3)
    let none = try device.menu(of: #require(controls.first { $0.name == "Brightness" })).collect()
    #expect(none.isEmpty)
  }
}
