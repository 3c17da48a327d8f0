public import FoundationEssentials
public import Platform
public import SystemPackage
public import Takes

/// Where takes and stills go that were given no name.
public enum LibraryFolder {
  /// `$XDG_VIDEOS_DIR/overcrank`, else `~/Videos/overcrank`.
  public static var path: FilePath { UserFolders.videos.appending("overcrank") }

  /// A new name in a folder, which is made: `overcrank-20190101T125900.999.mp4`.
  ///
  /// - Parameters:
  ///   - date: when that was, told in local time.
  ///   - suffix: the file's, without its dot.
  ///   - folder: where; `nil` for the library folder.
  /// - Throws: `OvercrankError` with `cannotCreate` where there is no folder and none can be made.
  public static func newName(
    at date: Date, suffix: String, in folder: FilePath? = nil
  ) throws(OvercrankError) -> FilePath {
    try make(folder).appending("\(stem(at: date)).\(suffix)")
  }

  /// Makes a folder for names that nobody gave, and returns it.
  ///
  /// - Parameter folder: where; `nil` for the library folder.
  /// - Throws: as ``newName(at:suffix:in:)`` does.
  @discardableResult static func make(_ folder: FilePath?) throws(OvercrankError) -> FilePath {
    try OwnFolder.make(
      folder ?? path, as: folder == nil ? "the library folder" : "the folder", remedy: "Name a file.")
    return folder ?? path
  }

  /// `overcrank-20190101T125900.999`, in local time.
  static func stem(at date: Date) -> String { "overcrank-\(stamp(date))" }

  /// `20190101T125900.999`, in local time.
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
  /// The library in `folder`; without one, in the library folder.
  public init(_ folder: FilePath? = nil) {
    self.init(folder ?? LibraryFolder.path, version: Version.current)
  }
}
