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
      if Self.isFilm(path.string) { throw Self.film(path.string) }
      return path
    case .simulated(let address):
      throw CameraError(.noCamera, "\(address) is simulated: there is no node behind it.")
    case .card(let part):
      if Self.isFilm(part) { throw Self.film(part) }
      let nodes = VideoNode.all()
      let matches = nodes.filter { $0.capabilities?.card.lowercased().contains(part.lowercased()) ?? false }
      if let match = matches.first, matches.count == 1 { return match.path }
      let there = (matches.isEmpty ? nodes : matches).map { node in
        "\(node.path) (\(node.capabilities?.card ?? "may not be opened"))"
      }
      throw CameraError(
        .noCamera,
        matches.isEmpty
          ? "No camera's name contains \"\(part)\"" + Self.instead(of: part, there)
          : "\"\(part)\" is part of several names: \(there.joined(separator: ", ")). Say more of it, or the path."
      )
    case nil:
      let nodes = VideoNode.all()
      if let first = nodes.first(where: { $0.capabilities != nil }) { return first.path }
      if let refused = nodes.compactMap(\.failure).first { throw CameraError(refused) }
      throw CameraError(
        .noCamera, "There is no camera on this machine. Plug one in, or use the simulated one, \"sim:\".")
    }
  }

  /// What there is instead of a camera called `part`, in the end of a sentence.
  private static func instead(of part: String, _ cameras: [String]) -> String {
    let rest = part.drop { $0.isLetter || $0 == ":" }
    guard !part.lowercased().hasPrefix("sim") else {
      return ". Did you mean \"\(simulatedPrefix)\(rest)\", the simulated camera?"
    }
    return cameras.isEmpty
      ? ", and this machine has none. The simulated one is \"\(simulatedPrefix)\"."
      : ". There are: \(cameras.joined(separator: ", "))."
  }

  /// Whether `name` is that of a file with a film.
  private static func isFilm(_ name: String) -> Bool {
    [".mp4", ".mov", ".mkv", ".nut", ".avi", ".webm", ".m4v"].contains(where: name.lowercased().hasSuffix)
  }

  private static func film(_ name: String) -> CameraError {
    CameraError(
      .noCamera, "\"\(name)\" is the name of a film, and a camera is to be named here.",
      action: .convertFilm(name))
  }
}
