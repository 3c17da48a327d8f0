public import FoundationEssentials
public import Platform
public import SystemPackage
public import Takes

/// The folder for takes and stills that were not given a name.
public enum LibraryFolder {
  /// The path of the library folder: `$XDG_VIDEOS_DIR/overcrank`, or else `~/Videos/overcrank`.
  public static var path: FilePath { UserFolders.videos.appending("overcrank") }

  /// Returns a new name in a folder, which is created if needed: `overcrank-20190101T125900.999.mp4`.
  ///
  /// - Parameters:
  ///   - date: the date in the name, which is written in local time.
  ///   - suffix: the file's extension, without its dot.
  ///   - folder: the folder; `nil` for the library folder.
  /// - Throws: `OvercrankError` with `cannotCreate` if the folder does not exist and cannot be created.
  public static func newName(
    at date: Date, suffix: String, in folder: FilePath? = nil
  ) throws(OvercrankError) -> FilePath {
    try make(folder).appending("\(stem(at: date)).\(suffix)")
  }

  /// Creates a folder for generated names if needed, and returns it.
  ///
  /// - Parameter folder: the folder; `nil` for the library folder.
  /// - Throws: as ``newName(at:suffix:in:)``.
  @discardableResult static func make(_ folder: FilePath?) throws(OvercrankError) -> FilePath {
    try OwnFolder.make(
      folder ?? path, as: folder == nil ? "the library folder" : "the folder",
      remedy: folder == nil ? "Name a file in another folder." : "Choose another folder.")
    return folder ?? path
  }

  /// Returns a stem such as `overcrank-20190101T125900.999`, in local time.
  static func stem(at date: Date) -> String { "overcrank-\(stamp(date))" }

  /// Returns a stamp such as `20190101T125900.999`, in local time.
  static func stamp(_ date: Date) -> String {
    let parts = Calendar(identifier: .gregorian).dateComponents(
      [.year, .month, .day, .hour, .minute, .second, .nanosecond], from: date)
    func padded(_ value: Int?, _ width: Int) -> String {
      let digits = String(value ?? 0)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return padded(parts.year, 4) + padded(parts.month, 2) + padded(parts.day, 2) + "T"
      + padded(parts.hour, 2) + padded(parts.minute, 2) + padded(parts.second, 2) + "."
      + padded(parts.nanosecond.map { $0 / 1_000_000 }, 3)
  }
}

extension TakeLibrary {
  /// Creates the library in `folder`; `nil` for the library folder.
  public init(_ folder: FilePath? = nil) {
    self.init(folder ?? LibraryFolder.path, version: Version.current)
  }
}
