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

  /// Returns what the studio had last with a camera; `nil` if there is nothing.
  ///
  /// - Throws: `OvercrankError` if the file cannot be used; it then has another name, so that it is not replaced.
  func recollection(of camera: String) throws(OvercrankError) -> Recollection? {
    let file = file(of: camera)
    // A dangling link is a faulty file, too.
    guard (try? Stat(file, followTargetSymlink: false)) != nil else { return nil }
    do { return try Recollection(Setup(file: file)) } catch {
      let reason = "The settings of the last studio with this camera cannot be used: \(error)"
      let words = reason.hasSuffix(".") ? reason : reason + "."
      let aside = file.beside(file.name + ".bad").free
      do throws(Errno) { try file.rename(to: aside, replacing: false) } catch {
        throw OvercrankError(
          .badData, "\(words) They stay in \(file), and no others are kept until you move that file away.")
      }
      throw OvercrankError(.badData, "\(words) The usual ones are in use. The file is now called \(aside).")
    }
  }

  /// Keeps what the studio has now with a camera.
  ///
  /// - Returns: the error in the former file, which then has another name; `nil` if it has none.
  /// - Throws: `OvercrankError`; the former file is then unchanged.
  func keep(_ recollection: Recollection, of camera: String) throws(OvercrankError) -> OvercrankError? {
    let file = file(of: camera)
    var fault: OvercrankError?
    do throws(OvercrankError) { _ = try self.recollection(of: camera) } catch {
      guard !file.exists else { throw error }
      fault = error
    }
    _ = try Setup.save(recollection.entries, to: file, replacing: true)
    return fault
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
