import CameraModel
import SystemPackage
import Takes
import Timebase

/// An entry of a library as `--json` prints it.
struct EntryReport: Encodable {
  var kind: String
  var file: String
  var name: String
  var date: String
  @Nullable var label: String?
  @Nullable var version: String?
  @Nullable var camera: CameraIdentity?
  @Nullable var mode: Mode?
  @Nullable var measuredFramesPerSecond: Double?
  @Nullable var length: Int64?
  @Nullable var speed: String?
  @Nullable var frames: Take.FrameCounts?
  var bytes: Int64
  @Nullable var master: String?
  var clips: [String]
  var problems: [String]

  init(_ entry: LibraryEntry) {
    let take = entry.description
    kind = entry.kindName
    file = entry.path.absolutePath
    name = entry.name
    date = entry.date
    _label = Nullable(wrappedValue: take?.label)
    _version = Nullable(wrappedValue: entry.version)
    _camera = Nullable(wrappedValue: take?.camera)
    _mode = Nullable(wrappedValue: take?.mode)
    _measuredFramesPerSecond = Nullable(wrappedValue: take?.measuredFramesPerSecond)
    _length = Nullable(wrappedValue: take?.length?.wholeNanoseconds)
    _speed = Nullable(wrappedValue: take?.clips.first?.speed)
    _frames = Nullable(wrappedValue: take?.frames)
    bytes = entry.bytes
    _master = Nullable(wrappedValue: entry.master?.absolutePath)
    clips = entry.clips.map(\.absolutePath)
    problems = entry.remarks
  }

  enum CodingKeys: String, CodingKey {
    case kind, file, name, date, label, camera, mode, speed, frames, bytes, master, clips, problems
    case version = "overcrank"
    case measuredFramesPerSecond = "measured_fps"
    case length = "length_ns"
  }
}

extension LibraryEntry {
  fileprivate var kindName: String {
    switch kind {
    case .take: "take"
    case .newerTake: "newer_take"
    case .damagedTake: "damaged_take"
    case .unreadableTake: "unreadable_take"
    case .takelessMaster: "master"
    case .part: "part"
    }
  }

  fileprivate var version: String? {
    switch kind {
    case .take(let take): take.overcrank
    case .newerTake(let version): version
    default: nil
    }
  }
}
