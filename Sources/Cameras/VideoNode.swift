import Platform
public import SystemPackage
public import V4L2

/// A video node of this machine that can capture, or that could not be asked.
public struct VideoNode: Hashable, Sendable {
  /// `/dev/videoN`.
  public let path: FilePath
  /// Its links under `/dev/v4l/by-id`.
  public let links: [FilePath]
  /// What it is; `nil` where it may not be opened.
  public let capabilities: Capabilities?
  /// Why it could not be asked; `nil` where it could.
  public let failure: V4L2Error?
  /// The USB device behind it; `nil` where there is none.
  public let usb: USBDevice?

  /// Every capture node of this machine, and every node that could not be opened, in order of number.
  public static func all() -> [VideoNode] {
    let system = SystemFolder()
    let links = system.linksByNode
    return system.nodeNumbers("video").compactMap { number -> VideoNode? in
      let name = "video\(number)"
      let path = FilePath("/dev").appending(name)
      let usb = USBDevice(ofNode: name)
      let links = links[name] ?? []
      do throws(V4L2Error) {
        let device = try Device(path: path)
        guard device.capabilities.canCapture else { return nil }
        return VideoNode(
          path: path, links: links, capabilities: device.capabilities, failure: nil, usb: usb)
      } catch {
        return VideoNode(path: path, links: links, capabilities: nil, failure: error, usb: usb)
      }
    }
  }
}

extension CameraName {
  /// The path of the node that a name means, looked up among this machine's cameras; without a name, the
  /// first that can capture.
  ///
  /// - Throws: ``CameraError`` with code `noCamera` where none or several match.
  public static func path(of name: CameraName?) throws(CameraError) -> FilePath {
    switch name {
    case .path(let path):
      return path
    case .simulated(let address):
      throw CameraError(.noCamera, "\(address) is simulated: there is no node behind it.")
    case .card(let part):
      let nodes = VideoNode.all()
      let matches = nodes.filter { $0.capabilities?.card.lowercased().contains(part.lowercased()) ?? false }
      if let match = matches.first, matches.count == 1 { return match.path }
      let there = (matches.isEmpty ? nodes : matches).map { node in
        "\(node.path) (\(node.capabilities?.card ?? "may not be opened"))"
      }
      throw CameraError(
        .noCamera,
        matches.isEmpty
          ? "No camera's name contains \"\(part)\". "
            + (there.isEmpty ? noneHere : "There are: \(there.joined(separator: ", ")).")
          : "\"\(part)\" is part of several names: \(there.joined(separator: ", ")). Say more of it, or the path.",
        action: there.isEmpty ? .listCameras : nil)
    case nil:
      let nodes = VideoNode.all()
      if let first = nodes.first(where: { $0.capabilities != nil }) { return first.path }
      if let refused = nodes.compactMap(\.failure).first { throw CameraError(refused) }
      throw CameraError(.noCamera, "There is no camera on this machine. " + noneHere, action: .listCameras)
    }
  }

  private static var noneHere: String {
    "Plug one in, or use the simulated one: \"sim:\"."
  }
}
