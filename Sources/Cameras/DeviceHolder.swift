import FoundationEssentials

/// A process that has a device open.
public struct DeviceHolder: Hashable, Sendable, CustomStringConvertible {
  /// Its number.
  public let process: Int32
  /// Its name, as `ps` shows it.
  public let name: String

  /// `ffmpeg (process 1234)`.
  public var description: String { "\(name) (process \(process))" }

  /// The other processes that have the device at `path` open, as far as this user may see: root sees all, others their own.
  ///
  /// - Parameter root: where /proc is.
  public static func all(of path: String, root: String = "") -> [DeviceHolder] {
    let files = FileManager.default
    // A link such as those under /dev/v4l/by-id stands for its node.
    let node = URL(filePath: path).resolvingSymlinksInPath().path
    let numbers = ((try? files.contentsOfDirectory(atPath: "\(root)/proc")) ?? []).compactMap(Int32.init)
    let own = ProcessInfo.processInfo.processIdentifier
    return numbers.sorted().compactMap { number in
      let folder = "\(root)/proc/\(number)"
      guard number != own, let open = try? files.contentsOfDirectory(atPath: "\(folder)/fd"),
        open.contains(where: { (try? files.destinationOfSymbolicLink(atPath: "\(folder)/fd/\($0)")) == node })
      else { return nil }
      let name = files.contents(atPath: "\(folder)/comm").map { String(decoding: $0, as: UTF8.self) }
      return DeviceHolder(process: number, name: name.map { String($0.prefix { $0 != "\n" }) } ?? "a process")
    }
  }
}
