public import CameraModel
import FoundationEssentials
public import SystemPackage
import Timebase
import Yams

/// The user's own profile of a camera's measurements, to which saved measurements are added.
///
/// It holds only measurements, so that it adds to the profile that says how the camera's modes are read.
public struct MeasuredProfile: Sendable {
  /// The measured rate of one mode.
  public struct Entry: Hashable, Sendable {
    /// The requested mode.
    public var mode: Mode
    /// Frames per second that arrived, without lost ones.
    public var framesPerSecond: Double
    /// The method of measurement, in words.
    public var note: String

    /// Creates an entry: `mode` delivered `framesPerSecond`.
    public init(mode: Mode, framesPerSecond: Double, note: String) {
      self.mode = mode
      self.framesPerSecond = framesPerSecond
      self.note = note
    }
  }

  private let table: CameraTable
  private let id: String

  /// Creates the profile of the camera that `table` came from.
  public init(of table: CameraTable) {
    self.table = table
    let words = [table.card ?? table.driver ?? "camera", table.vendorProduct].compactMap { $0 }.joined(
      separator: " ")
    let slug = words.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
    id = "measured-" + String(slug).split(separator: "-").joined(separator: "-")
  }

  /// Returns the path of its file in `folder`.
  public func path(in folder: FilePath = ProfileLibrary.userFolder) -> FilePath {
    folder.appending("\(id).yaml")
  }

  /// Returns the text of the file with `entries`, and with those of `existing` that are about other modes.
  ///
  /// - Parameters:
  ///   - entries: the measurements to add.
  ///   - existing: the file's present text; `nil` if there is none.
  /// - Throws: ``ProfileError`` if `existing` is not a profile, or one that holds more than measurements.
  public func yaml(adding entries: [Entry], to existing: String?) throws(ProfileError) -> String {
    var kept: [Profile.Measurement] = []
    if let existing {
      let profile = try Profile(yaml: existing, named: path().string)
      guard profile.holdsMeasurementsAlone, profile.id == id else {
        throw ProfileError(
          file: path().string, line: nil, key: nil,
          problem: "the file holds more than measurements, so it is not changed; move it away")
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

  /// The keys of the file; unknown ones are omitted, as in every profile.
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
  /// Creates the rate that `measurement` gives for the mode in `row`; `nil` if it is about another mode.
  init?(_ measurement: Profile.Measurement, of row: ModeRow) {
    guard let size = measurement.size, case .discrete(size.width, size.height) = row.size,
      measurement.format == nil || measurement.format == row.fourcc
    else { return nil }
    self.init(asked: measurement.asked.rate, got: measurement.got.rate)
  }
}
