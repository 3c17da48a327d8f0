import FoundationEssentials
import Overcrank

/// A take or photo in the API's form.
struct TakeResponse: Encodable, Sendable {
  var id: String
  var name: String
  @Nullable var label: String? = nil
  var date: String
  @Nullable var camera: String? = nil
  @Nullable var mode: StudioMode? = nil
  @Nanoseconds var duration: Duration? = nil
  @Nullable var written: Int64? = nil
  @Nullable var lost: Int64? = nil
  var losses: [String] = []
  var bytes: Int64
  var hasMaster = false
  var clips: [ClipResponse] = []
  @Nanoseconds var trigger: Duration? = nil
  var problems: [String] = []
  var kind: String
  @Nullable var photo: PhotoResponse? = nil
  /// The group of an item in the trash; `nil` for other items, which groups name themselves.
  var group: Membership?

  /// The place of a removed take in a group.
  struct Membership: Encodable, Sendable {
    var id: String
    var name: String
    var camera: String
  }

  /// A clip of the take.
  struct ClipResponse: Encodable, Sendable {
    var index: Int
    var file: String
    var speed: String
    @Nanoseconds var duration: Duration?
    @Nullable var bytes: Int64?
    /// The time of the file's last change, in UTC as ISO 8601; `nil` if it is missing.
    @Nullable var date: String?
    /// The request for the clip; `nil` in takes of older versions.
    @Nullable var spec: ClipDescription?
    var exists: Bool

    enum CodingKeys: String, CodingKey {
      case index, file, speed, bytes, date, spec
      case duration = "duration_ns"
      case exists = "is_there"
    }
  }

  init(_ entry: LibraryEntry, id: String) {
    let take = entry.description
    self.id = id
    name = entry.name
    label = entry.label
    photo = entry.photo.map(PhotoResponse.init)
    date = entry.date
    camera = take.map { $0.camera.card ?? $0.camera.name }
    mode = (take?.mode).map(StudioMode.init)
    duration = take?.length
    written = take?.frames.written
    lost = take?.frames.lost.total
    losses = take?.frames.lost.words ?? []
    bytes = entry.bytes
    hasMaster = entry.master != nil
    clips = (take?.clips ?? []).enumerated().map { ClipResponse($1, index: $0, of: entry) }
    trigger = take?.trigger?.preRoll
    problems = entry.problems.map(\.description)
    switch entry.kind {
    case .take: kind = "take"
    case .newerTake(let version):
      kind = "newer"
      problems.append("It was written by Overcrank \(version), which is newer than this version.")
    case .damagedTake(let reason):
      kind = "damaged"
      problems.append(reason)
    case .unreadableTake(let error):
      kind = "damaged"
      problems.append(error.description)
    case .takelessMaster:
      kind = "unfinished"
      problems.append("This master has no take file. It can be recovered.")
    case .part:
      kind = "unfinished"
      problems.append(
        entry.partState == .empty
          ? "This file was prepared for a take that was not recorded, and is empty. Delete it."
          : entry.partState == .recovered
            ? "This is left of a recording that has been recovered. Delete it."
            : "The recording was cut off. It can be recovered.")
    case .unfinishedPhoto:
      kind = "unfinished"
      problems.append("This is left of a photo that was cut off. Delete it.")
    case .unfinishedFile:
      kind = "unfinished"
      problems.append("This is left of a file that was cut off while it was written. Delete it.")
    case .photo: kind = "photo"
    case .unreadablePhoto(let error), .damagedGroup(let error):
      kind = "damaged"
      problems.append(error.description)
    }
    problems = problems.map(entry.path.folder.namingFiles)
  }

  enum CodingKeys: String, CodingKey {
    case id, name, label, date, camera, mode, written, lost, losses, bytes, clips, problems, kind, photo,
      group
    case duration = "duration_ns"
    case hasMaster = "has_master"
    case trigger = "trigger_ns"
  }
}

extension TakeResponse.ClipResponse {
  init(_ clip: Take.Clip, index: Int, of entry: LibraryEntry) {
    let path = entry.clips.first { $0.name == clip.file }
    let stat = path.flatMap { try? Stat($0) }
    self.init(
      index: index, file: clip.file, speed: clip.speed, duration: clip.duration,
      bytes: stat.map { Int64($0.size) }, date: stat?.changeDate, spec: clip.spec, exists: path != nil)
  }
}

extension Stat {
  /// The time of the file's last change, in UTC as ISO 8601.
  var changeDate: String { Date(timeIntervalSince1970: Double(st_mtim.tv_sec)).formatted(.iso8601) }
}

extension Take.FrameCounts.Lost {
  /// The frames lost at each stage, in words.
  fileprivate var words: [String] {
    [
      (driver, "by the driver"), (corrupt, "because they arrived damaged"), (ring, "in the ring"),
      (disk, "by the disk"),
    ].filter { $0.0 > 0 }.map { count, place in "\(count) \(count == 1 ? "frame" : "frames") lost \(place)" }
  }
}
