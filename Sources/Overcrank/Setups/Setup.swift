public import Cameras
import FoundationEssentials
public import Platform
public import SystemPackage

/// Saved recording options under a name, in a file of their own.
///
/// The file is YAML with a line for each option, such as `fps: 240`; several values are a list. The program
/// that uses it defines the options.
public struct Setup: Hashable, Sendable {
  /// An option with its values.
  public struct Entry: Hashable, Sendable {
    /// The option's name.
    public var key: String
    /// The option's line in the file, counted from 1; `nil` if unknown.
    public var line: Int?
    /// The values, as written.
    public var values: [String]

    /// Creates an option with its values.
    public init(key: String, line: Int? = nil, values: [String]) {
      self.key = key
      self.line = line
      self.values = values
    }
  }

  /// The setup's name.
  public let name: String
  /// The file.
  public let file: FilePath
  /// The content of the file.
  public let text: String
  /// The options, in file order.
  public let entries: [Entry]

  /// The folder of setups: `$XDG_CONFIG_HOME/overcrank/setups`, or else `~/.config/overcrank/setups`.
  public static var folder: FilePath { ProfileLibrary.configurationFolder.appending("setups") }

  /// The names of all setups, sorted.
  public static var names: [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.string)) ?? []
    return files.filter { $0.hasSuffix(".yaml") && $0.count > 5 }.map { String($0.dropLast(5)) }.sorted()
  }

  /// Returns the file of the setup called `name`, which may not exist.
  ///
  /// - Throws: `OvercrankError` with code `badName` for an invalid name.
  public static func file(named name: String) throws(OvercrankError) -> FilePath {
    // Paths are not allowed: a slash would lead elsewhere, and a leading dot would hide the file. A name ends at a NUL.
    guard !name.isEmpty, !name.hasPrefix("."), !name.hasPrefix("-"), !name.contains("/"),
      !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }),
      name.utf8.count <= 100
    else {
      throw OvercrankError(
        .badName,
        "\"\(name)\" is not a valid setup name: use at most 100 bytes, without a slash or control characters, and "
          + "begin with neither a dot nor a hyphen.")
    }
    return folder.appending("\(name).yaml")
  }

  /// Reads the setup called `name`.
  ///
  /// - Throws: `OvercrankError` if there is no such setup, or it cannot be read.
  public init(named name: String) throws(OvercrankError) {
    try self.init(file: Self.existingFile(named: name))
  }

  /// Deletes the setup called `name`, even if invalid, and returns its file.
  ///
  /// - Throws: `OvercrankError` if there is no such setup, or it cannot be deleted.
  public static func remove(_ name: String) throws(OvercrankError) -> FilePath {
    let file = try existingFile(named: name)
    try file.removeFile()
    return file
  }

  /// Returns the file of the existing setup called `name`.
  ///
  /// - Throws: `OvercrankError` with code `badName` or `noInput`.
  public static func existingFile(named name: String) throws(OvercrankError) -> FilePath {
    let file = try Self.file(named: name)
    // A dangling link counts as existing, so that reading it gives the real error.
    guard file.exists || names.contains(name) else {
      let near = names.near(name).prefix(3).joined(separator: " or ")
      throw OvercrankError(
        .noInput,
        "There is no setup \"\(name)\": \(file) does not exist."
          + (near.isEmpty ? "" : " Did you mean \(near)?"),
        remedy: .saveSetup(name: name), subject: file.string)
    }
    return file
  }

  /// Reads the setup in `file`.
  ///
  /// - Throws: `OvercrankError` if it cannot be read.
  public init(file: FilePath) throws(OvercrankError) {
    let bytes = try Self.bytes(of: file)
    do throws(ProfileError) { try self.init(bytes, of: file) } catch { throw OvercrankError(error) }
  }

  /// Returns the bytes of a setup's file, even if invalid.
  public static func bytes(of file: FilePath) throws(OvercrankError) -> [UInt8] {
    try InputFile.bytes(of: file, upTo: 1 << 20)
  }

  /// Parses the bytes of a setup's file.
  public init(_ bytes: [UInt8], of file: FilePath) throws(ProfileError) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ProfileError(file: file.string, line: nil, key: nil, problem: "this is not UTF-8 text")
    }
    self.text = text
    entries = try FlatYAML.entries(of: text, named: file.string).map {
      Entry(key: $0.key, line: $0.line, values: $0.values)
    }
    self.file = file
    name = file.stem ?? file.name
  }

  /// Writes a setup with these options.
  ///
  /// - Parameters:
  ///   - name: the setup's name.
  ///   - entries: its options.
  ///   - replacing: whether an existing setup may be replaced.
  /// - Throws: `OvercrankError`; an existing file is then unchanged.
  public static func save(
    _ name: String, _ entries: [Entry], replacing: Bool
  ) throws(OvercrankError) -> Setup {
    try save(entries, to: file(named: name), replacing: replacing)
  }

  /// Writes these options to `file`, in the form of a setup.
  ///
  /// - Throws: `OvercrankError`; an existing file is then unchanged.
  package static func save(
    _ entries: [Entry], to file: FilePath, replacing: Bool
  ) throws(OvercrankError) -> Setup {
    let bytes = Array(FlatYAML.text(entries.map { ($0.key, $0.values) }).utf8)
    let setup: Setup
    do throws(ProfileError) { setup = try Setup(bytes, of: file) } catch { throw OvercrankError(error) }
    guard zip(setup.entries, entries).allSatisfy({ $0.key == $1.key && $0.values == $1.values }) else {
      throw OvercrankError(.badValue, "\(file): cannot hold a text with such characters.")
    }
    try OwnFolder.make(
      file.folder, as: "the folder of your setups", remedy: "Name another with XDG_CONFIG_HOME.")
    var output = try OutputFile(file, replacing: replacing)
    try output.write(bytes)
    try output.commit()
    return setup
  }
}
