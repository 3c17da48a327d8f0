import FoundationEssentials
import Media
import Platform
import SystemPackage
import Takes
import Timebase

extension FormExport {
  /// Writes a recording of the Miniscope software: `NAME/metaData.json`, and for each camera a folder `NAME/A` with
  /// `0.avi`, `1.avi` and so on, `timeStamps.csv` and `metaData.json`.
  ///
  /// `source/datasaver.cpp` of Miniscope-DAQ-QT-Software writes these: 1000 frames in each AVI, 60 of them a second
  /// whatever the camera's rate, and times in milliseconds from the start of the recording.
  func exportMiniscope(
    _ cameras: [FormCamera], of recording: ExportedRecording, _ outcome: inout Outcome, _ tell: Meter
  ) throws(OvercrankError) {
    for camera in cameras {
      guard try FrameCopy(of: camera.master).codec != .mjpeg else { continue }
      throw OvercrankError(
        .unsupported,
        "\(camera.master): is not Motion JPEG, and the AVIs of this form hold nothing else without a loss. Export it "
          + "as campy, anipose or csv, or record in MJPG.")
    }
    let base = try folder(recording.name, for: &outcome)
    for camera in cameras {
      let folder = try folder(recording.name, camera.place.name, for: &outcome)
      var copy = try FrameCopy(of: camera.master)
      let count = camera.take.timestamps.count
      for (number, start) in stride(from: 0, to: count, by: MiniscopeForm.framesPerFile).enumerated() {
        let path = folder.appending("\(number).avi")
        try copy.write(
          min(MiniscopeForm.framesPerFile, count - start), to: path, in: .avi, rate: MiniscopeForm.rate,
          date: camera.take.startedAt
        ) { tell(path, $0, $1) }
        outcome.files.append(path)
      }
      try copy.checkIsAtEnd()
      try write(MiniscopeForm.times(of: camera), to: folder.appending("timeStamps.csv"), &outcome, tell)
      let facts = MiniscopeForm.Device(camera, directory: folder)
      try write([MiniscopeForm.text(facts)], to: folder.appending("metaData.json"), &outcome, tell)
    }
    let facts = MiniscopeForm.Recording(cameras, directory: base)
    try write([MiniscopeForm.text(facts)], to: base.appending("metaData.json"), &outcome, tell)
  }
}

/// The files of the Miniscope software.
enum MiniscopeForm {
  /// The default of `framesPerFile` in its configuration.
  static let framesPerFile = 1000
  /// The rate at which its AVIs play.
  static let rate = Fraction(60)

  /// Returns `timeStamps.csv`. The times have microseconds, as frames of fast cameras are not whole milliseconds apart.
  static func times(of camera: FormCamera) -> some Sequence<[UInt8]> {
    let rows = camera.times.enumerated().lazy.map { number, time in
      "\(number),\((time.inSeconds * Fraction(1000)).decimal(places: 3)),0\n".piece
    }
    return JoinedPieces(["Frame Number,Time Stamp (ms),Buffer Index\n".piece], rows)
  }

  /// Returns `facts` as JSON.
  static func text(_ facts: some Encodable) throws(OvercrankError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do { return try Array(encoder.encode(facts)) + "\n".utf8 } catch {
      throw OvercrankError(.badData, "The facts of the recording cannot be written: \(error).")
    }
  }

  /// The content of a camera's `metaData.json`.
  struct Device: Encodable {
    let deviceName: String
    let deviceType = "WebCam"
    let deviceID: Int
    let deviceDirectory: String
    let framesPerFile = MiniscopeForm.framesPerFile
    let compression = "MJPG"
    /// The camera's own name and rate, which the software does not store.
    let camera: String
    let frameRate: Double

    init(_ camera: FormCamera, directory: FilePath) {
      deviceName = camera.place.name
      deviceID = camera.number
      deviceDirectory = directory.absolutePath
      self.camera = camera.take.camera.card ?? camera.take.camera.name
      frameRate = camera.rate.doubleValue
    }
  }

  /// The content of the recording's `metaData.json`.
  struct Recording: Encodable {
    let researcherName = ""
    let animalName = ""
    let experimentName: String
    let baseDirectory: String
    let recordingStartTime: Start?
    let miniscopes: [String] = []
    let cameras: [String]

    init(_ cameras: [FormCamera], directory: FilePath, in calendar: Calendar = .current) {
      experimentName = directory.name
      baseDirectory = directory.absolutePath
      self.cameras = cameras.map(\.place.name)
      recordingStartTime = cameras.first.flatMap { try? Date($0.take.startedAt, strategy: .iso8601) }
        .map { Start($0, calendar) }
    }
  }

  /// A moment by the clock on the wall.
  struct Start: Encodable {
    let year, month, day, hour, minute, second, msec: Int
    let msecSinceEpoch: Int64

    init(_ date: Date, _ calendar: Calendar) {
      let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
      (year, month, day) = (parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
      (hour, minute, second) = (parts.hour ?? 0, parts.minute ?? 0, parts.second ?? 0)
      msecSinceEpoch = Int64(clamping: (date.timeIntervalSince1970 * 1000).rounded())
      msec = Int(msecSinceEpoch % 1000)
    }
  }
}
