import FoundationEssentials
public import Platform
public import SystemPackage

/// A process that has a device open.
public struct DeviceHolder: Hashable, Sendable, CustomStringConvertible {
  /// The process's id.
  public let process: Int32
  /// The process's name, as `ps` shows it.
  public let name: String

  /// `ffmpeg (process 1234)`.
  public var description: String { "\(name) (process \(process))" }

  /// Returns the other processes that have the device at `path` open, as far as this user may see them: root
  /// sees all, others only their own.
  public static func all(of path: FilePath, in system: SystemFolder = SystemFolder()) -> [DeviceHolder] {
    // A link such as those under /dev/v4l/by-id is resolved to its node.
    let node = path.resolvingLinks
    let own = ProcessInfo.processInfo.processIdentifier
    return system.names(in: "/proc").compactMap(Int32.init).sorted().compactMap { number in
      let folder = FilePath("/proc").appending("\(number)")
      let open = folder.appending("fd")
      guard number != own,
        system.names(in: open).contains(where: { system.target(ofLink: open.appending($0)) == node })
      else { return nil }
      return DeviceHolder(process: number, name: system.line(folder.appending("comm")) ?? "a process")
    }
  }
}
