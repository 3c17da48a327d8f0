import Media
import Platform
import SystemPackage
import Takes
import Timebase

extension FormExport {
  /// Writes the folders of campy: `NAME/Camera1` with `0.mp4`, `frametimes.npy`, `frametimes.mat` and `metadata.csv`.
  ///
  /// `SaveMetadata` of campy's `campy/cameras/unicam.py` writes the three last ones, its `campy/configurator.py` names
  /// the video, and its `campy/utils/view_metadata.py` names the cameras. There, each camera's times begin at 0, as one
  /// trigger exposes all frames; here, they are those of the recording's clock.
  func exportCampy(
    _ cameras: [FormCamera], of recording: ExportedRecording, _ outcome: inout Outcome, _ tell: Meter
  ) throws(OvercrankError) {
    let container = try container(for: cameras)
    for camera in cameras {
      let name = "Camera\(camera.number + 1)"
      let folder = try folder(recording.name, name, for: &outcome)
      let video = try copy(camera, to: "0", in: folder, container: container, &outcome, tell)
      try write(CampyForm.array(of: camera), to: folder.appending("frametimes.npy"), &outcome, tell)
      try write(CampyForm.matrices(of: camera), to: folder.appending("frametimes.mat"), &outcome, tell)
      // A phone's video may be stored on its side. Programs turn it as the copy states.
      let size = (try? Demuxer(video).track).map { $0.orientation.turned(width: $0.width, height: $0.height) }
      let metadata = CampyForm.metadata(of: camera, name: name, video: video.name, size: size)
      try write([metadata.piece], to: folder.appending("metadata.csv"), &outcome, tell)
    }
  }
}

/// The files of campy.
enum CampyForm {
  /// Returns `frametimes.npy`: a NumPy array of two rows, the frames' numbers from 1, and their times in seconds.
  ///
  /// The format is that of version 1.0 in numpy's `lib/format.py`.
  static func array(of camera: FormCamera) -> some Sequence<[UInt8]> {
    let count = camera.take.timestamps.count
    var header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, \(count)), }"
    // The data begins at a multiple of 64 bytes.
    header += String(repeating: " ", count: 63 - (10 + header.utf8.count) % 64) + "\n"
    let head = [0x93] + "NUMPY".utf8 + [1, 0] + bytes(UInt16(clamping: header.utf8.count)) + header.utf8
    let numbers = (0..<count).lazy.map { bytes(Double($0 + 1).bitPattern) }
    return JoinedPieces([head], JoinedPieces(numbers, seconds(of: camera)))
  }

  /// Returns `frametimes.mat`: the rows `frameNumber` and `timeStamp`, as MATLAB 5 matrices without compression.
  ///
  /// The format is that of the document "MAT-File Format", and that of `scipy.io.savemat`.
  static func matrices(of camera: FormCamera) -> some Sequence<[UInt8]> {
    let count = camera.take.timestamps.count
    let words = "MATLAB 5.0 MAT-file, frames of a take by Overcrank"
    let head =
      (words + String(repeating: " ", count: 116 - words.utf8.count)).piece
      + [UInt8](repeating: 0, count: 8) + bytes(UInt16(0x0100)) + "IM".utf8
    // The class and the type of 64-bit integers, and of doubles.
    let numbers = JoinedPieces(
      [head + matrix("frameNumber", class: 14, type: 12, count: count)],
      (0..<count).lazy.map { bytes(UInt64($0 + 1)) })
    let times = JoinedPieces([matrix("timeStamp", class: 6, type: 9, count: count)], seconds(of: camera))
    return JoinedPieces(numbers, times)
  }

  /// Returns the beginning of a matrix of one row, whose elements of 8 bytes follow.
  private static func matrix(_ name: String, class kind: UInt32, type: UInt32, count: Int) -> [UInt8] {
    let size = UInt32(clamping: count.multiplied(clamping: 8))
    let padded = (name.utf8.count + 7) / 8 * 8
    // Flags, dimensions, name and data, each after its type and its size.
    let length = UInt32(clamping: 16 + 16 + 8 + padded + 8 + Int(size))
    let words: [UInt32] = [
      14, length, 6, 8, kind, 0, 5, 8, 1, UInt32(clamping: count), 1, UInt32(clamping: name.utf8.count),
    ]
    let padding = [UInt8](repeating: 0, count: padded - name.utf8.count)
    return words.flatMap(bytes) + Array(name.utf8) + padding + bytes(type) + bytes(size)
  }

  /// Returns `metadata.csv`: a quoted name and value in each line, as Python's `csv` writes them.
  ///
  /// - Parameter size: the size at which the video is shown; `nil` for that of the camera's mode.
  static func metadata(
    of camera: FormCamera, name: String, video: String, size: (width: Int, height: Int)?
  ) -> String {
    let take = camera.take
    let (width, height) = size ?? (Int(take.mode.width), Int(take.mode.height))
    let last = camera.take.timestamps.last.flatMap { last in
      take.timestamps.first.map { camera.place.place(of: last - $0) }
    }
    let rows = [
      ("cameraName", name), ("cameraModel", take.camera.card ?? take.camera.name),
      ("overcrankCamera", camera.place.name), ("videoFilename", video),
      ("frameRate", "\(camera.rate.doubleValue)"), ("frameWidth", "\(width)"),
      ("frameHeight", "\(height)"), ("codec", take.mode.fourcc.lowercased()),
      ("totalFrames", "\(take.timestamps.count)"), ("totalTime", "\(seconds(last ?? .zero))"),
    ]
    return rows.map { name, value in "\"\(name)\",\"\(value.replacing("\"", with: "\"\""))\"\r\n" }.joined()
  }

  private static func seconds(of camera: FormCamera) -> some Sequence<[UInt8]> {
    camera.times.lazy.map { bytes(seconds($0).bitPattern) }
  }

  private static func seconds(_ time: Duration) -> Double { Double(time.wholeNanoseconds) / 1e9 }

  /// Returns the bytes of `number`, the lowest first.
  private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
    (0..<number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
}
