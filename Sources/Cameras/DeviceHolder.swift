import FoundationEssentials
public import Platform
public import SystemPackage

/// A process that has a device open.
public struct DeviceHolder: Hashable, Sendable, CustomStringConvertible {
  /// Its number.
  public let process: Int32
  /// Its name, as `ps` shows it.
  public let name: String

  /// `ffmpeg (process 1234)`.
  public var description: String { "\(name) (process \(process))" }

  /// The other processes that have the device at `path` open, as far as this user may see: root sees all, others their own.
  public static func all(of path: FilePath, in system: SystemFolder = SystemFolder()) -> [DeviceHolder] {
    // A link such as those under /dev/v4l/by-id stands for its node.
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
