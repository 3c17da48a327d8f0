import FoundationEssentials
import Media
import Platform
import SystemPackage
import Takes

/// The names of the files of several cameras that record together: one name for all, to which each adds its
/// own.
struct GroupNames: Sendable {
  /// The clip's file of each camera if that camera were alone.
  let clips: [FilePath]
  private let isNumbered: Bool

  /// Chooses names, in a folder that exists.
  ///
  /// Words in braces are filled in once, by the first camera, so that all files have one name.
  ///
  /// - Parameter plans: the plans of the cameras, at least one.
  /// - Throws: `OvercrankError` with `cannotCreate` if the name is taken.
  init(_ plans: [RecordingPlan]) throws(OvercrankError) {
    guard let first = plans.first else {
      (clips, isNumbered) = ([], false)
      return
    }
    let request = first.request
    isNumbered = request.numbersTakes
    let containers = plans.map(\.format.container)
    guard request.output == nil || NameTemplate(first.clip) != nil else {
      clips = plans.map(\.clip)
      try check(takes: request.plan.takeCount, replacing: request.replacesFiles)
      return
    }
    if request.output == nil { try LibraryFolder.make(request.folder) }
    let template = NameTemplate(first.clip)
    let facts = first.nameFacts(at: first.facts.date)
    var attempt = 1
    while true {
      let name = template?.name(facts, attempt) ?? (attempt == 1 ? first.clip : first.clip.numbered(attempt))
      let probe = isNumbered ? name.numbered(1) : name
      let isTaken =
        TakeGroup.path(of: probe).exists
        || containers.enumerated().contains { place, container in
          TakeFiles(clip: probe.suffixed(GroupCamera.name(place)), container: container).areReserved
        }
      guard isTaken else {
        // Copies of frames may need different containers.
        clips = plans.map { name.beside("\(name.stem ?? "").\($0.clip.extension ?? "mp4")") }
        return
      }
      attempt += 1
    }
  }

  /// The largest number of takes whose group files are tried before anything is recorded.
  private static let mostTried = 100

  /// Checks that the group file of each take can be written.
  private func check(takes count: Int?, replacing: Bool) throws(OvercrankError) {
    for number in 1...max(1, min(count ?? 1, Self.mostTried)) {
      try TakeGroup.checkIsWritable(group(number), replacing: replacing)
    }
  }

  /// Returns the group file of take `number`.
  func group(_ number: Int) -> FilePath {
    let clip = clips.first ?? ""
    return TakeGroup.path(of: isNumbered || number > 1 ? clip.numbered(number) : clip)
  }
}
