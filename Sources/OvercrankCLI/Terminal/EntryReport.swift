import Overcrank

/// A library entry in the form that `--json` prints.
struct EntryReport: Encodable {
  var kind: String
  var file: String
  var name: String
  var date: String
  @Nullable var label: String?
  @Nullable var group: String?
  var groupClips: [String]
  @Nullable var version: String?
  @Nullable var camera: CameraIdentity?
  @Nullable var mode: Mode?
  @Nullable var measuredFramesPerSecond: Double?
  @Nanoseconds var length: Duration?
  @Nullable var speed: String?
  @Nullable var frames: Take.FrameCounts?
  var bytes: Int64
  @Nullable var master: String?
  var clips: [String]
  var files: [String]
  @Nullable var photo: PhotoReport?
  var problems: [String]

  /// Creates a report.
  ///
  /// - Parameters:
  ///   - group: the group that names the take; `nil` if there is none.
  ///   - groupClips: the clips that show the cameras of that group together.
  init(_ entry: LibraryEntry, in group: StoredGroup? = nil, groupClips: [FilePath] = []) {
    let take = entry.description
    kind = entry.kindName
    file = entry.path.absolutePath
    name = entry.name
    date = entry.date
    bytes = entry.bytes
    clips = entry.clips.map(\.absolutePath)
    files = entry.files.map(\.absolutePath)
    photo = entry.photo.map(PhotoReport.init)
    problems = entry.remarks
    label = entry.label
    self.group = group?.path.absolutePath
    self.groupClips = groupClips.map(\.absolutePath)
    version = entry.version
    camera = take?.camera
    mode = take?.mode
    measuredFramesPerSecond = take?.measuredFramesPerSecond
    length = take?.length
    speed = take?.clips.first?.speed
    frames = take?.frames
    master = entry.master?.absolutePath
  }

  enum CodingKeys: String, CodingKey {
    case kind, file, name, date, label, group, camera, mode, speed, frames, bytes, master, clips, files,
      photo,
      problems
    case groupClips = "group_clips"
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
    case .photo: "photo"
    case .unreadablePhoto: "unreadable_photo"
    case .unfinishedPhoto: "unfinished_photo"
    case .unfinishedFile: "unfinished_file"
    case .damagedGroup: "damaged_group"
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
