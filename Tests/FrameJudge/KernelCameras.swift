import Foundation

/// The kernel's own cameras, if this machine has them: vivid and v4l2loopback.
///
/// Tests that need a camera run if it exists, so `sudo modprobe vivid` enables them. In the virtual
/// machine, the cameras must exist, and a test checks it.
public enum KernelCameras {
  /// Whether this run must have all of them.
  public static let areExpected = ProcessInfo.processInfo.environment["OVERCRANK_EXPECT_CAMERAS"] == "1"

  /// A vivid webcam through the single-planar API.
  public static let vivid = vividNode(isMultiplanar: false)
  /// A vivid webcam through the multi-planar API.
  public static let multiplanarVivid = vividNode(isMultiplanar: true)
  /// A capture node of vimc, which has ranges of sizes and no rates.
  public static let vimc = nodes.first { name(of: $0) == "Raw Capture 0" }.map { "/dev/\($0)" }
  /// All capture nodes of vimc: one for each of two sensors, and one behind a debayer and a scaler.
  public static let vimcNodes = nodes.filter {
    ["Raw Capture 0", "Raw Capture 1", "RGB/YUV Capture"].contains(name(of: $0))
  }.map { "/dev/\($0)" }
  /// Returns the sub-device that its driver names `wanted`, such as vimc's `Lens A`.
  public static func subdevice(_ wanted: String) -> String? {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.first { $0.hasPrefix("v4l-subdev") && name(of: $0) == wanted }.map { "/dev/\($0)" }
  }
  /// The names of vivid's inputs, such as `HDMI 000-0`, in order; a webcam comes first if there are several.
  public static let vividInputs: [String] = {
    guard let vivid, let said = try? Program.run("v4l2-ctl", ["-d", vivid, "--list-inputs"]) else {
      return []
    }
    return String(decoding: said.output, as: UTF8.self).split(separator: "\n")
      .compactMap { $0.firstMatch(of: /Name\s*: (.+)/).map { String($0.1) } }
  }()
  /// The v4l2loopback nodes. Nothing writes to them.
  public static let loopbacks = nodes.filter {
    FileManager.default.fileExists(atPath: "\(folder)/\($0)/max_openers")
  }
  .map { "/dev/\($0)" }
  /// The first of these.
  public static let loopback = loopbacks.first

  private static let folder = "/sys/class/video4linux"

  private static let nodes: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasPrefix("video") }.sorted { ($0.count, $0) < ($1.count, $1) }
  }()

  private static func name(of node: String) -> String {
    let name = (try? String(contentsOfFile: "\(folder)/\(node)/name", encoding: .utf8)) ?? ""
    return String(name.prefix { !$0.isNewline })
  }

  private static func vividNode(isMultiplanar: Bool) -> String? {
    nodes.first { node in
      let name = name(of: node)
      guard name.hasPrefix("vivid"), name.contains("vid-cap"),
        let info = try? Program.run("v4l2-ctl", ["-d", "/dev/\(node)", "-D"])
      else { return false }
      let words = String(decoding: info.output, as: UTF8.self)
      return words.contains("Video Capture Multiplanar") == isMultiplanar
    }.map { "/dev/\($0)" }
  }

  /// Sets a node to 320x180 UYVY, and to 30 fps unless it is multi-planar: v4l2-ctl cannot set that rate.
  public static func setElsewhere(_ node: String) throws {
    try Program.run("v4l2-ctl", ["-d", node, "--set-fmt-video=width=320,height=180,pixelformat=UYVY"])
    if node != multiplanarVivid { try Program.run("v4l2-ctl", ["-d", node, "-p", "30"]) }
  }

  /// Returns a node's format, interval and controls as v4l2-ctl prints them, without volatile values.
  public static func settings(of node: String) throws -> String {
    let rate = node == multiplanarVivid ? [] : ["-P"]
    let said = try Program.run("v4l2-ctl", ["-d", node, "-V", "--list-ctrls"] + rate)
    return String(decoding: said.output, as: UTF8.self).split(separator: "\n")
      .filter { !$0.contains("volatile") && !$0.contains("read-only") }.joined(separator: "\n")
  }
}
