import CEmbeddedFiles
public import CameraModel
import FoundationEssentials
import Platform
public import SystemPackage
import Yams

/// All available profiles: those that Overcrank ships, and the user's own, which take precedence.
public struct ProfileLibrary: Sendable {
  /// A profile and its origin.
  public struct Entry: Hashable, Sendable {
    /// The profile itself.
    public var profile: Profile
    /// Its text.
    public var yaml: String
    /// The user's file; `nil` for a shipped one.
    public var file: FilePath?
  }

  private static let shipped = {
    var count = 0
    let files = embedded_profiles(&count)
    return UnsafeBufferPointer(start: files, count: count).map(ShippedProfile.init)
  }()
  /// The user's own, by id.
  private let own: [String: Entry]
  /// Errors in the user's files that are not valid profiles; these files are ignored.
  public private(set) var failures: [ProfileError]

  /// Loads the profiles in `folder`, in addition to those that are shipped.
  ///
  /// - Parameter folder: the folder of the user's own profiles; a missing folder counts as empty.
  public init(userFolder folder: FilePath = Self.userFolder) {
    var found: [String: Entry] = [:]
    failures = []
    let files: [FilePath]
    do throws(ProfileError) { files = try Self.files(in: folder) } catch {
      failures.append(error)
      files = []
    }
    for path in files {
      do throws(ProfileError) {
        let entry = try Entry(file: path)
        found[entry.profile.id] = entry
      } catch {
        failures.append(error)
      }
    }
    own = found
  }

  /// The profiles in order of their ids.
  public var entries: [Entry] { entries { _ in true } }

  /// Returns the entries whose match satisfies `isFitting`.
  private func entries(where isFitting: (Profile.Match) -> Bool) -> [Entry] {
    let others = Self.shipped.filter { own[$0.id] == nil && isFitting($0.match) }.map(\.entry)
    return (others + own.values.filter { isFitting($0.profile.match) }).sorted {
      $0.profile.id < $1.profile.id
    }
  }

  /// Accesses the profile called `id`.
  public subscript(id: String) -> Entry? { own[id] ?? Self.shipped.first { $0.id == id }?.entry }

  /// Returns the profile of the camera that `table` came from: of those that fit, the most specific one, the
  /// user's own first.
  ///
  /// A profile of measurements alone is not a candidate: it adds to this one.
  public func profile(of table: CameraTable) -> Profile? {
    best(of: table) { !$0.holdsMeasurementsAlone }
  }

  /// Returns the profile that converts the raw samples of `camera`: of those that can, the most specific one,
  /// the user's own first.
  public func rawProfile(of camera: CameraIdentity) -> Profile? {
    var table = CameraTable(card: camera.card, driver: camera.driver, rows: [])
    table.sensor = camera.sensor
    return best(of: table) { $0.raw != nil }
  }

  private func best(of table: CameraTable, where isFitting: (Profile) -> Bool) -> Profile? {
    entries { $0.fits(table) }.filter { isFitting($0.profile) }.max { left, right in
      (left.profile.match.demands, left.file == nil ? 0 : 1, right.profile.id)
        < (right.profile.match.demands, right.file == nil ? 0 : 1, left.profile.id)
    }?.profile
  }

  /// Returns the user's measurements of the camera that `table` came from.
  ///
  /// Measurements in shipped profiles are of other people's cameras in other light, and are not used here.
  func measurements(of table: CameraTable) -> [Profile.Measurement] {
    entries { $0.fits(table) }.filter { $0.file != nil }.flatMap(\.profile.measured)
  }

  /// Returns at most five ids that `name` may have meant.
  public func ids(near name: String) -> [String] {
    Array(entries.map(\.profile.id).near(name.lowercased()).prefix(5))
  }

  /// `$XDG_CONFIG_HOME/overcrank/profiles`, else `~/.config/overcrank/profiles`.
  public static var userFolder: FilePath { configurationFolder.appending("profiles") }

  /// `$XDG_CONFIG_HOME/overcrank`, else `~/.config/overcrank`.
  package static var configurationFolder: FilePath { UserFolders.configuration.appending("overcrank") }

  /// - Throws: `ProfileError` if the folder exists and cannot be listed.
  private static func files(in folder: FilePath) throws(ProfileError) -> [FilePath] {
    let names: [String]
    do throws(Errno) { names = try folder.entryNames() } catch {
      guard error != .noSuchFileOrDirectory, error != .notDirectory else { return [] }
      throw ProfileError(
        file: folder.string, line: nil, key: nil, problem: "the folder cannot be listed: \(error.inWords)")
    }
    let files = names.filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }.sorted().map(folder.appending)
    // Each command reads all the files, and must not wait for a pipe.
    return files.filter { (try? Stat($0).type) != .fifo }
  }
}

extension ProfileLibrary.Entry {
  /// Reads the profile in `file`.
  public init(file: FilePath) throws(ProfileError) {
    let bytes: [UInt8]
    do throws(Errno) {
      bytes = try WholeFile.bytes(of: file, atMost: 1 << 20)
    } catch {
      throw ProfileError(
        file: file.string, line: nil, key: nil, problem: "the file cannot be read: \(WholeFile.reason(error))"
      )
    }
    guard let yaml = String(validating: bytes, as: UTF8.self) else {
      throw ProfileError(file: file.string, line: nil, key: nil, problem: "this is not UTF-8 text")
    }
    self.init(profile: try Profile(yaml: yaml, named: file.string), yaml: yaml, file: file)
  }
}

/// A profile that Overcrank ships. At first only its match is read: reading all of each takes longer than
/// many commands do.
private struct ShippedProfile {
  let id: String
  let match: Profile.Match
  private let name: String
  private let yaml: String

  init(_ file: embedded_file) {
    name = String(cString: file.name)
    // Each file is named by its id, and has its match on one line.
    id = String(name.dropLast(".yaml".count))
    yaml = String(decoding: UnsafeBufferPointer(start: file.bytes, count: file.count), as: UTF8.self)
    struct Header: Decodable { let match: Profile.Match }
    let line = yaml.split(separator: "\n").first { $0.hasPrefix("match:") } ?? ""
    do { match = try YAMLDecoder().decode(Header.self, from: String(line)).match } catch {
      preconditionFailure("\(name): \(error)")
    }
  }

  var entry: ProfileLibrary.Entry {
    do throws(ProfileError) {
      return ProfileLibrary.Entry(profile: try Profile(yaml: yaml, named: name), yaml: yaml)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}

extension Profile {
  var holdsMeasurementsAlone: Bool {
    !measured.isEmpty && modes.isEmpty && native == nil && controls.isEmpty && quirks.isEmpty && raw == nil
  }
}
