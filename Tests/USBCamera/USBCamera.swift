import Foundation
import Synchronization

/// A USB camera made of software, which the kernel's own `uvcvideo` drives.
///
/// It is at the far end of USB/IP, through which the kernel's virtual host controller (`vhci_hcd`) reaches
/// remote devices; here, that is a socket in this process. It needs root and those two modules. Its frames
/// are those of the simulated camera, with their numbers in their pixels.
public final class USBCamera: Sendable {
  /// A step that failed.
  public struct Failure: Error, CustomStringConvertible {
    /// In words.
    public let description: String
  }

  /// Whether this machine can have one; in the test machine, the modules are loaded for it.
  public static let isPossible: Bool = {
    if ProcessInfo.processInfo.environment["OVERCRANK_VM"] == "1" {
      let modprobe = Process()
      modprobe.executableURL = URL(filePath: "/usr/bin/env")
      modprobe.arguments = ["modprobe", "-a", "vhci_hcd", "uvcvideo"]
      try? modprobe.run()
      modprobe.waitUntilExit()
    }
    let manager = FileManager.default
    return manager.isWritableFile(atPath: controller + "/attach")
      && manager.fileExists(atPath: "/sys/module/uvcvideo")
  }()

  private static let controller = "/sys/devices/platform/vhci_hcd.0"
  /// `USB_SPEED_HIGH` of the kernel's include/uapi/linux/usb/ch9.h.
  private static let highSpeed = 3

  private let model: CameraModel
  /// The port of the controller. Those from 0 on run at USB 2's high speed, on one bus.
  private let port: Int
  private let settings = Mutex(CameraServer.Settings())
  /// The plug; `nil` while it is out.
  private let plug = Mutex<Plug?>(nil)

  private final class Plug: Sendable {
    /// The camera's end of the connection; `nil` once it is closed.
    let socket: Mutex<CInt?>
    let hasEnded = DispatchSemaphore(value: 0)

    init(_ socket: CInt) { self.socket = Mutex(socket) }
  }

  /// A camera of `model`, which is not plugged in yet. Several need names and ports of their own.
  public init(_ model: CameraModel = CameraModel(), port: Int = 0) { (self.model, self.port) = (model, port) }

  /// The value of a control, in the camera itself.
  public func value(of control: CameraControlName) -> Int {
    settings.withLock { $0.controls.values[control] ?? 0 }
  }

  /// Sets whether the bus has no bandwidth for its frames from now on.
  ///
  /// A host controller without bandwidth refuses the alternate setting of the interface with ENOSPC. The
  /// virtual one does not count bandwidth, so the request is completed with that error, which the kernel
  /// returns in the same way.
  public func setOutOfBandwidth(_ isOut: Bool) { settings.withLock { $0.isOutOfBandwidth = isOut } }

  /// Makes the frames `numbers` arrive damaged, with the camera's own error flag in each of their packets.
  public func damage(_ numbers: Set<UInt32>) { settings.withLock { $0.damagedFrames = numbers } }

  /// Makes the transfers in which the frames `numbers` would begin fail, as on a noisy bus. The frames arrive
  /// whole in the next ones, but the driver drops all buffers that it holds.
  public func failTransfers(before numbers: Set<UInt32>) {
    settings.withLock { $0.framesAfterFailure = numbers }
  }

  /// Plugs it in, and returns its node when the driver is ready.
  public func plugIn() throws -> String {
    for format in model.formats {
      for size in format.sizes where size.width <= model.readyWidth {
        _ = try CapturedPicture.drawn(format.pixelFormat, size)
      }
    }
    // The kernel removes a camera step by step.
    try waitFor("the node of an earlier \(model.name) to go") { nodes().isEmpty }
    try waitFor("port \(port) of vhci_hcd to be free", isFree)
    var ends: [CInt] = [-1, -1]
    guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw Failure(description: "no pair of sockets: \(String(cString: strerror(errno)))")
    }
    let far = ends[1]
    // The kernel holds its own end from then on.
    defer { close(far) }
    serve(at: ends[0])
    do {
      let handle = try FileHandle(forWritingTo: URL(filePath: Self.controller + "/attach"))
      // The device number is the remote machine's own; any but 0 works.
      try handle.write(contentsOf: Data("\(port) \(far) \(port + 1) \(Self.highSpeed)".utf8))
      try handle.close()
      try waitFor("the node of \(model.name)") { !nodes().isEmpty }
    } catch {
      unplug()
      throw error
    }
    return "/dev/\(nodes().first ?? "")"
  }

  private func serve(at socket: CInt) {
    let plug = Plug(socket)
    self.plug.withLock { $0 = plug }
    Thread { [self] in
      var server = CameraServer(of: model, at: USBIPConnection(socket))
      do { try server.run(settings) } catch { print("The USB camera broke: \(error)") }
      plug.socket.withLock { $0 = nil }
      _ = consume server
      plug.hasEnded.signal()
    }.start()
  }

  /// Unplugs it, whatever it is doing.
  public func unplug() {
    let plugged = plug.withLock { plug in
      defer { plug = nil }
      return plug
    }
    guard let plugged else { return }
    // The serving thread sees the end, and closes it.
    plugged.socket.withLock { socket in
      if let socket { shutdown(socket, CInt(SHUT_RDWR)) }
    }
    plugged.hasEnded.wait()
  }

  private func isFree() -> Bool {
    // Lines such as "hs  0000 004 000 00000000 000000 0-0", where 4 is VDEV_ST_NULL.
    let status = (try? String(contentsOfFile: Self.controller + "/status", encoding: .utf8)) ?? ""
    return status.split(separator: "\n").contains { line in
      let words = line.split(separator: " ")
      return words.count > 2 && Int(words[1]) == port && Int(words[2]) == 4
    }
  }

  /// The nodes of cameras of this name that deliver frames; each has another node, for metadata.
  private func nodes() -> [String] {
    let folder = "/sys/class/video4linux"
    func line(_ node: String, _ file: String) -> String? {
      (try? String(contentsOfFile: "\(folder)/\(node)/\(file)", encoding: .utf8)).map {
        $0.filter { !$0.isNewline }
      }
    }
    let all = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return all.filter {
      line($0, "index") == "0" && line($0, "name")?.hasPrefix(model.name) == true
        && FileManager.default.fileExists(atPath: "/dev/\($0)")
    }
  }

  private func waitFor(_ what: String, _ exists: () -> Bool) throws {
    let deadline = Date(timeIntervalSinceNow: 60)
    while Date() < deadline {
      if exists() { return }
      usleep(20_000)
    }
    throw Failure(description: "waited for \(what) in vain; \"dmesg\" may say why")
  }
}
