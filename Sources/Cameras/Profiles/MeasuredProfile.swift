public import CameraModel
import FoundationEssentials
public import SystemPackage
import Timebase
import Yams

/// The user's own profile of what they measured of a camera, as measurements that are saved go into it.
///
/// It holds measurements and nothing else, so that it adds to the profile that says how the camera's modes are read.
public struct MeasuredProfile: Sendable {
  /// What came of one mode.
  public struct Entry: Hashable, Sendable {
    /// The mode that was asked for.
    public var mode: Mode
    /// Frames per second that came, lost ones left out.
    public var framesPerSecond: Double
    /// How it was measured, in words.
    public var note: String

    /// `framesPerSecond` came of `mode`.
    public init(mode: Mode, framesPerSecond: Double, note: String) {
      self.mode = mode
      self.framesPerSecond = framesPerSecond
      self.note = note
    }
  }

  private let table: CameraTable
  private let id: String

  /// The profile of the camera that `table` came from.
  public init(of table: CameraTable) {
    self.table = table
    let words = [table.card ?? table.driver ?? "camera", table.vendorProduct].compactMap { $0 }.joined(
      separator: " ")
    let slug = words.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
    id = "measured-" + String(slug).split(separator: "-").joined(separator: "-")
  }

  /// The file in `folder` that it is kept in.
  public func path(in folder: FilePath = ProfileLibrary.userFolder) -> FilePath {
    folder.appending("\(id).yaml")
  }

  /// The text of the file with `entries`, next to those of `existing` that are about other modes.
  ///
  /// - Parameters:
  ///   - entries: the measurements to add.
  ///   - existing: the file as it is; `nil` where there is none.
  /// - Throws: ``ProfileError`` where `existing` is no profile, or one that holds more than measurements.
  public func yaml(adding entries: [Entry], to existing: String?) throws(ProfileError) -> String {
    var kept: [Profile.Measurement] = []
    if let existing {
      let profile = try Profile(yaml: existing, named: path().string)
      guard profile.holdsMeasurementsAlone, profile.id == id else {
        throw ProfileError(
          file: path().string, line: nil, key: nil,
          problem: "this is not a file of measurements alone, and is left as it is; move it away")
      }
      kept = profile.measured
    }
    let new = entries.compactMap(File.Measurement.init)
    let old = kept.compactMap(File.Measurement.init).filter { old in
      !new.contains { $0.isAboutTheSame(as: old) }
    }
    let file = File(
      id: id, name: "Measured: \(table.card ?? table.driver ?? "a camera")",
      match: .init(driver: table.driver, card: table.card, usb: table.vendorProduct),
      source: "Measured by Overcrank", measured: old + new)
    do {
      return try YAMLEncoder().encode(file)
    } catch {
      throw ProfileError(
        file: path().string, line: nil, key: nil, problem: "it cannot be written as YAML: \(error)")
    }
  }

  /// The keys of the file; those that are not known are left out, as a profile has it.
  private struct File: Encodable {
    struct Match: Encodable {
      var driver, card, usb: String?
    }

    struct Measurement: Encodable {
      var size: Dimensions
      var format: String?
      /// Frames per second, exact.
      var asked: String
      /// Frames per second, to three decimals.
      var got: String
      var note: String?

      init?(_ entry: Entry) {
        guard let asked = entry.mode.rate, entry.framesPerSecond >= 0.001 else { return nil }
        size = Dimensions(width: entry.mode.width, height: entry.mode.height)
        format = entry.mode.fourcc
        self.asked = "\(asked.framesPerSecond)"
        guard let thousandths = Int64(exactly: (entry.framesPerSecond * 1000).rounded()) else { return nil }
        got = Fraction(thousandths, 1000).decimal(places: 3)
        note = entry.note
      }

      init?(_ measurement: Profile.Measurement) {
        guard let size = measurement.size else { return nil }
        self.size = size
        format = measurement.format
        asked = "\(measurement.asked.rate.framesPerSecond)"
        got = "\(measurement.got.rate.framesPerSecond)"
        note = measurement.note
      }

      func isAboutTheSame(as other: Measurement) -> Bool {
        (size, format ?? "", asked) == (other.size, other.format ?? "", other.asked)
      }
    }

    var id, name: String
    var match: Match
    var source: String
    var measured: [Measurement]
  }
}

extension MeasuredRate {
  /// What `measurement` says of the mode in `row`; `nil` where it is about another.
  init?(_ measurement: Profile.Measurement, of row: ModeRow) {
    guard let size = measurement.size, case .discrete(size.width, size.height) = row.size,
      measurement.format == nil || measurement.format == row.fourcc
    else { return nil }
    self.init(asked: measurement.asked.rate, got: measurement.got.rate)
  }
}
