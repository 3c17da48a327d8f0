import FoundationEssentials
public import Platform

/// A process that has a device open.
public struct DeviceHolder: Hashable, Sendable, CustomStringConvertible {
  /// Its number.
  public let process: Int32
  /// Its name, as `ps` shows it.
  public let name: String

  /// `ffmpeg (process 1234)`.
  public var description: String { "\(name) (process \(process))" }

  /// The other processes that have the device at `path` open, as far as this user may see: root sees all, others their own.
  public static func all(of path: String, in system: SystemFolder = SystemFolder()) -> [DeviceHolder] {
    let files = FileManager.default
    // A link such as those under /dev/v4l/by-id stands for its node.
    let node = URL(filePath: path).resolvingSymlinksInPath().path
    let own = ProcessInfo.processInfo.processIdentifier
    return system.names(in: "/proc").compactMap(Int32.init).sorted().compactMap { number in
      let folder = "/proc/\(number)"
      let open = system.names(in: "\(folder)/fd").map { "\(system.root)\(folder)/fd/\($0)" }
      guard number != own,
        open.contains(where: { (try? files.destinationOfSymbolicLink(atPath: $0)) == node })
      else { return nil }
      return DeviceHolder(process: number, name: system.line("\(folder)/comm") ?? "a process")
    }
  }
}
