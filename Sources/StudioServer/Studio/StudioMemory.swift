package import Overcrank

/// The settings that a studio had last with each camera, in a folder of files with the form of setups.
package struct StudioMemory: Sendable {
  /// The folder of the files.
  private let folder: FilePath

  /// Creates the memory in `folder`.
  package init(folder: FilePath = Setup.folder.beside("studio")) { self.folder = folder }

  /// The settings that a studio had last with a camera.
  struct Recollection: Hashable, Sendable {
    var settings: StudioSettings
    var mode: StudioModeRequest?
    /// The values that the user gave to controls, by name.
    var controls: [String: Int64] = [:]
  }

  /// Returns what the studio had last with a camera; `nil` if there is nothing, or the file cannot be read.
  func recollection(of camera: String) -> Recollection? {
    guard let setup = try? Setup(file: file(of: camera)) else { return nil }
    return try? Recollection(setup)
  }

  /// Keeps what the studio has now with a camera.
  ///
  /// - Throws: `OvercrankError`; the former file is then unchanged.
  func keep(_ recollection: Recollection, of camera: String) throws(OvercrankError) {
    _ = try Setup.save(recollection.entries, to: file(of: camera), replacing: true)
  }

  /// Returns the file of a camera, whose name may have any characters.
  private func file(of camera: String) -> FilePath {
    let plain = camera.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? String($0) : "-" }.joined()
    return folder.appending("\(plain.prefix(80)).yaml")
  }
}

extension StudioMemory.Recollection {
  /// The keys of a setup that hold controls and the mode; the others are settings.
  private enum Key: String { case fps, quality, format, set }

  /// Reads what `setup` holds; keys that mean nothing to a studio are ignored.
  ///
  /// - Throws: an error for an invalid value.
  init(_ setup: Setup) throws {
    settings = try StudioSettings(setup)
    func text(_ key: Key) -> String? { setup.entries.first { $0.key == key.rawValue }?.values.first }
    if let rate = try text(.fps).map({ try FrameRate(text: $0) }), let format = text(.format),
      let size = text(.quality)?.split(separator: "x").compactMap({ UInt32($0) }), size.count == 2,
      let interval = FrameInterval(rate)
    {
      mode = .mode(fourcc: format, width: size[0], height: size[1], interval: interval)
    }
    for setting in setup.entries.first(where: { $0.key == Key.set.rawValue })?.values ?? [] {
      guard let place = setting.lastIndex(of: "="), let value = Int64(setting[place...].dropFirst()) else {
        continue
      }
      controls[String(setting[..<place])] = value
    }
  }

  /// The entries that ``init(_:)`` reads.
  var entries: [Setup.Entry] { cameraEntries + settings.entries }

  /// The entries of a setup for `record` or another studio.
  func setupEntries(camera: String) -> [Setup.Entry] {
    [Setup.Entry(key: "camera", values: [camera])] + cameraEntries
      + settings.recordEntries(triggers: ["enter"])
  }

  private var cameraEntries: [Setup.Entry] {
    var entries: [Setup.Entry] = []
    func add(_ key: Key, _ values: [String]) {
      entries.append(Setup.Entry(key: key.rawValue, values: values))
    }
    if case .mode(let fourcc, let width, let height, let interval) = mode, let rate = interval.rate {
      add(.fps, [rate.text])
      add(.format, [fourcc])
      add(.quality, ["\(width)x\(height)"])
    }
    if !controls.isEmpty { add(.set, controls.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }) }
    return entries
  }
}

extension FrameInterval {
  /// Creates the interval between frames at `rate`; `nil` if its terms do not fit.
  fileprivate init?(_ rate: FrameRate) {
    guard let numerator = UInt32(exactly: rate.interval.numerator),
      let denominator = UInt32(exactly: rate.interval.denominator)
    else { return nil }
    self.init(numerator, denominator)
  }
}
