public import Cameras
public import Diagnostics
import FoundationEssentials
public import Platform
public import SystemPackage

extension MeasuredProfile {
  /// Adds the results of complete measurements to the file in the user's profile folder, which is created if
  /// needed.
  ///
  /// - Returns: the file's path; `nil` if no measurement was complete.
  /// - Throws: `OvercrankError`; an existing file is then unchanged.
  public func keep(_ reports: [RateReport]) throws(OvercrankError) -> FilePath? {
    let entries = reports.compactMap(Entry.init)
    guard !entries.isEmpty else { return nil }
    let path = path()
    // A file that cannot be read must not be replaced.
    var existing: String?
    if (try? Stat(path)) != nil {
      existing = String(decoding: try InputFile.bytes(of: path, upTo: 1 << 24), as: UTF8.self)
    }
    let text: String
    do throws(ProfileError) { text = try yaml(adding: entries, to: existing) } catch {
      throw OvercrankError(error)
    }
    try OwnFolder.make(
      ProfileLibrary.userFolder, as: "the folder of your profiles",
      remedy: "Name another with XDG_CONFIG_HOME.")
    var file = try OutputFile(path, replacing: true)
    try file.write(Array(text.utf8))
    try file.commit()
    return path
  }
}

extension MeasuredProfile.Entry {
  /// Creates an entry from `report`; `nil` if the measurement failed or was not completed.
  init?(_ report: RateReport) {
    guard let measurement = try? report.outcome.get(), measurement.failure == nil,
      let rate = measurement.sustainedFramesPerSecond
    else { return nil }
    let lost = measurement.accounting.ledger.total
    let tenths = Int64(clamping: (measurement.seconds * 10).rounded())
    self.init(
      mode: report.mode, framesPerSecond: rate,
      note: "\(tenths / 10).\(tenths % 10) s on \(Date.now.formatted(.iso8601.year().month().day()))"
        + (lost == 0 ? "" : ", \(lost) of \(measurement.frames.sent) frames lost"))
  }
}

extension IntervalPlot {
  /// Writes the plot to `file` as SVG.
  ///
  /// - Parameter file: the output, opened before the measurement so that an impossible name fails first.
  /// - Throws: `OvercrankError`; no file is then left.
  public func write(to file: consuming OutputFile) throws(OvercrankError) {
    try file.write(Array(svg.utf8))
    try file.commit()
  }
}
