public import Platform
public import SystemPackage
public import Takes

/// The takes that are exported as one recording: those of a group, on its clock, or a lone take, on its own.
public struct ExportedRecording: Sendable {
  /// The name of the recording in the export: that of the group or the take.
  public let name: String
  /// The file of the group, or the take's.
  public let path: FilePath
  /// The takes, in the order of the group.
  public let cameras: [Camera]

  /// One camera's take.
  public struct Camera: Sendable {
    /// The take.
    public let entry: LibraryEntry
    /// Its place on the clock of the recording.
    public let place: TakeGroup.Camera
    /// Its place among the cameras of the group, from 0.
    public let number: Int
  }

  /// Creates the recording of a whole group.
  ///
  /// - Throws: `OvercrankError` with `noInput` if a take of the group is missing.
  public init(_ group: StoredGroup) throws(OvercrankError) {
    try self.init(group, leavingOut: { _ in false })
  }

  /// Creates the recording of a group, without missing takes of which `isElsewhere` says that they are at another place.
  init(_ group: StoredGroup, leavingOut isElsewhere: (FilePath) -> Bool) throws(OvercrankError) {
    var cameras: [Camera] = []
    for (number, place) in group.group.cameras.enumerated() {
      let take = try TakeGroup.take(of: place, inGroupAt: group.path)
      guard let entry = TakeLibrary(take.folder).entry(at: take), entry.path == take else {
        if isElsewhere(take) { continue }
        throw OvercrankError(
          .noInput,
          "\(group.path): its take \(place.take) is missing. Put it back, or align the other takes again.")
      }
      cameras.append(Camera(entry: entry, place: place, number: number))
    }
    self.init(group, cameras)
  }

  private init(_ group: StoredGroup, _ cameras: [Camera]) {
    name = group.name
    path = group.path
    self.cameras = cameras.sorted { $0.number < $1.number }
  }

  private init(_ entry: LibraryEntry) {
    name = entry.name
    path = entry.path
    cameras = [
      Camera(
        entry: entry, place: TakeGroup.Camera(name: GroupCamera.name(0), take: entry.path.name), number: 0)
    ]
  }

  /// Returns the recordings of these takes: those of one group are one recording.
  public static func recordings(of entries: [LibraryEntry]) -> [ExportedRecording] {
    var groups = GroupIndex()
    var recordings: [ExportedRecording] = []
    for entry in entries {
      guard let group = groups.group(ofTake: entry.path), let place = group.camera(ofTake: entry.path),
        let number = group.group.cameras.firstIndex(of: place)
      else {
        recordings.append(ExportedRecording(entry))
        continue
      }
      let camera = Camera(entry: entry, place: place, number: number)
      if let index = recordings.firstIndex(where: { $0.path.absolutePath == group.path.absolutePath }) {
        recordings[index] = ExportedRecording(group, recordings[index].cameras + [camera])
      } else {
        recordings.append(ExportedRecording(group, [camera]))
      }
    }
    return recordings
  }
}
