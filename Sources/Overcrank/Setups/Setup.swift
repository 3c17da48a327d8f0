public import Cameras
import FoundationEssentials
public import Platform
public import SystemPackage

/// What somebody always records with: options by name, in a file of their own.
///
/// A YAML file with a line for each option, such as `fps: 240`; several values are a list. Which options there are is up
/// to the program that uses it.
public struct Setup: Hashable, Sendable {
  /// An option with its values.
  public struct Entry: Hashable, Sendable {
    /// The option's name.
    public var key: String
    /// The line of the file that it stands in, counted from 1; `nil` where nobody knows.
    public var line: Int?
    /// Its values, as they were written.
    public var values: [String]

    /// An option with its values.
    public init(key: String, line: Int? = nil, values: [String]) {
      self.key = key
      self.line = line
      self.values = values
    }
  }

  /// What it is called.
  public let name: String
  /// The file.
  public let file: FilePath
  /// What is in it.
  public let text: String
  /// Its options, in the file's order.
  public let entries: [Entry]

  /// `$XDG_CONFIG_HOME/overcrank/setups`, else `~/.config/overcrank/setups`.
  public static var folder: FilePath { ProfileLibrary.configurationFolder.appending("setups") }

  /// The names of all setups, in order.
  public static var names: [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.string)) ?? []
    return files.filter { $0.hasSuffix(".yaml") && $0.count > 5 }.map { String($0.dropLast(5)) }.sorted()
  }

  /// The file of the setup called `name`.
  ///
  /// - Throws: `OvercrankError` with code `badName`.
  public static func file(named name: String) throws(OvercrankError) -> FilePath {
    // No path: a slash or a dot in front would lead elsewhere, or be hidden.
    guard !name.isEmpty, !name.hasPrefix("."), !name.hasPrefix("-"), !name.contains("/"),
      name.utf8.count <= 100
    else {
      throw OvercrankError(
        .badName,
        "\"\(name)\" is no name for a setup: use a word without a slash that begins with a letter or a digit."
      )
    }
    return folder.appending("\(name).yaml")
  }

  /// Reads the setup called `name`.
  ///
  /// - Throws: `OvercrankError`.
  public init(named name: String) throws(OvercrankError) {
    try self.init(file: Self.existingFile(named: name))
  }

  /// Deletes the setup called `name`, be its content good or not; its file.
  ///
  /// - Throws: `OvercrankError`.
  public static func remove(_ name: String) throws(OvercrankError) -> FilePath {
    let file = try existingFile(named: name)
    try file.removeFile()
    return file
  }

  /// The file of the setup called `name`, which is there.
  ///
  /// - Throws: `OvercrankError` with code `badName` or `noInput`.
  public static func existingFile(named name: String) throws(OvercrankError) -> FilePath {
    let file = try Self.file(named: name)
    // A link that leads nowhere has the name, and reading it says why it cannot be used.
    guard file.isThere || names.contains(name) else {
      let near = names.near(name).prefix(3).joined(separator: " or ")
      throw OvercrankError(
        .noInput,
        "There is no setup \"\(name)\": \(file) is not there."
          + (near.isEmpty ? "" : " Did you mean \(near)?"),
        remedy: .saveSetup(name: name), subject: file.string)
    }
    return file
  }

  /// Reads the setup in `file`.
  ///
  /// - Throws: `OvercrankError`.
  public init(file: FilePath) throws(OvercrankError) {
    let bytes = try Self.bytes(of: file)
    do throws(ProfileError) { try self.init(bytes, of: file) } catch { throw OvercrankError(error) }
  }

  /// The bytes of a setup's file, whatever they are.
  public static func bytes(of file: FilePath) throws(OvercrankError) -> [UInt8] {
    try InputFile.bytes(of: file, upTo: 1 << 20)
  }

  /// Reads the bytes of a setup's file.
  public init(_ bytes: [UInt8], of file: FilePath) throws(ProfileError) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ProfileError(file: file.string, line: nil, key: nil, problem: "this is no UTF-8 text")
    }
    self.text = text
    entries = try FlatYAML.entries(of: text, named: file.string).map {
      Entry(key: $0.key, line: $0.line, values: $0.values)
    }
    self.file = file
    name = file.stem ?? file.name
  }

  /// Writes a setup of these options.
  ///
  /// - Parameters:
  ///   - name: what it is called.
  ///   - entries: its options.
  ///   - replacing: whether one of that name may be replaced.
  /// - Throws: `OvercrankError`; there is no such file then, or the one that there was.
  public static func save(
    _ name: String, _ entries: [Entry], replacing: Bool
  ) throws(OvercrankError) -> Setup {
    let file = try Self.file(named: name)
    try OwnFolder.make(
      folder, as: "the folder of your setups", remedy: "Name another with XDG_CONFIG_HOME.")
    var output = try OutputFile(file, replacing: replacing)
    try output.write(Array(FlatYAML.text(entries.map { ($0.key, $0.values) }).utf8))
    try output.commit()
    return try Setup(file: file)
  }
}
