import FoundationEssentials
import Overcrank

/// A group in the API's form.
struct GroupResponse: Encodable, Sendable {
  var id: String
  var name: String
  /// The label of all its takes; `nil` if they have none, or not the same.
  @Nullable var label: String? = nil
  var date: String
  var cameras: [Camera]
  var failed: [TakeGroup.Failure]
  var clips: [Clip]
  var problems: [String]

  /// A camera of the group, and its place on the group's clock.
  struct Camera: Encodable, Sendable {
    var name: String
    /// The take's id; `nil` if there is no such take in the folder.
    @Nullable var take: String?
    var file: String
    @Nanoseconds var offset: Duration
    var ratePartsPerMillion: Double
    @Nanoseconds var uncertainty: Duration?
    var methods: [AlignmentMethod]

    enum CodingKeys: String, CodingKey {
      case name, take, file
      case offset = "offset_ns"
      case ratePartsPerMillion = "rate_ppm"
      case uncertainty = "uncertainty_ns"
      case methods = "by"
    }
  }

  /// A clip of all cameras.
  struct Clip: Encodable, Sendable {
    var index: Int
    var file: String
    /// The speed; `nil` if the group's file does not list the clip.
    @Nullable var speed: String?
    @Nanoseconds var duration: Duration?
    var bytes: Int64
    /// The time of the file's last change, in UTC as ISO 8601.
    var date: String
    /// The request for the clip; `nil` if the group's file does not list it.
    @Nullable var spec: ClipDescription?

    enum CodingKeys: String, CodingKey {
      case index, file, speed, bytes, date, spec
      case duration = "duration_ns"
    }

    init?(_ path: FilePath, index: Int, _ listed: Take.Clip?) {
      guard let stat = try? Stat(path) else { return nil }
      (self.index, file, bytes) = (index, path.name, Int64(stat.size))
      (speed, duration, spec) = (listed?.speed, listed?.duration, listed?.spec)
      date = stat.changeDate
    }
  }

  /// - Parameters:
  ///   - entries: the takes of the folder, by the paths of their files.
  ///   - clips: the clips of the group.
  ///   - takeID: returns the id of the take in a file.
  init(
    _ stored: StoredGroup, id: String, among entries: [FilePath: LibraryEntry], clips: [FilePath],
    takeID: (FilePath) -> String
  ) {
    self.id = id
    name = stored.name
    let folder = stored.path.folder
    failed = stored.group.failed.map { failure in
      var failure = failure
      failure.error = folder.namingFiles(in: failure.error)
      return failure
    }
    var (problems, takes) = ([String](), [LibraryEntry]())
    cameras = stored.group.cameras.map { camera in
      let path = TakeGroup.path(of: camera, inGroupAt: stored.path)
      let entry = entries[path]
      if let entry { takes.append(entry) }
      if entry == nil {
        problems.append(
          path.folder != folder
            ? "Camera \(camera.name): its take is in a folder of its own, so it is not shown here."
            : "Camera \(camera.name): its take \(camera.take) is missing or cannot be read. Restore or copy it."
        )
      } else if entry?.master == nil {
        problems.append(
          "Camera \(camera.name): its take \(camera.take) has no master, so it cannot be shown.")
      }
      return Camera(
        name: camera.name, take: entry.map { takeID($0.path) }, file: camera.take, offset: camera.offset,
        ratePartsPerMillion: camera.ratePartsPerMillion, uncertainty: camera.uncertainty,
        methods: camera.methods)
    }
    date = takes.map(\.date).min() ?? ""
    label = StoredGroup.label(of: takes)
    self.clips = clips.enumerated().compactMap { Clip($1, index: $0, stored.listing(of: $1)) }
    self.problems = problems + stored.problems.map { "The group: \($0)." }
  }
}

/// The frames of a group's cameras on its clock, in the API's form.
struct GroupFramesResponse: Encodable, Sendable {
  @Nanoseconds var start: Duration?
  @Nanoseconds var end: Duration?
  var cameras: [Camera]

  struct Camera: Encodable, Sendable {
    var name: String
    var sequence: [Int64]
    var time: [Int64]
    @Nanoseconds var end: Duration

    enum CodingKeys: String, CodingKey {
      case name, sequence
      case time = "time_ns"
      case end = "end_ns"
    }
  }

  enum CodingKeys: String, CodingKey {
    case cameras
    case start = "start_ns"
    case end = "end_ns"
  }

  init(_ frames: GroupFrames) {
    start = frames.common?.lowerBound
    end = frames.common?.upperBound
    cameras = frames.cameras.map {
      Camera(
        name: $0.name, sequence: $0.sequences, time: $0.times.map(\.wholeNanoseconds), end: $0.end)
    }
  }
}
