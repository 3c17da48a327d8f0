import FoundationEssentials
import Media
import Platform
import Synchronization
import SystemPackage
import Takes

/// The file names of a recording's takes.
final class TakeNames: Sendable {
  private let clip: FilePath
  /// The camera's name among several, in which names of files end; `nil` for a lone camera.
  private let camera: String?
  /// Whether the program generated the name.
  private let isMadeUp: Bool
  /// The template and the source of its values, if the name has words in braces.
  private let template: (name: NameTemplate, facts: @Sendable () -> NameTemplate.Facts)?
  /// The values that filled in each take's name.
  private let facts = Mutex<[Int: NameTemplate.Facts]>([:])
  /// Whether file names contain the take's number.
  private let isNumbered: Bool
  /// Whether takes wait for triggers, so that their times are known only when they are over.
  private let followsTriggers: Bool

  /// Creates the names of a recording's takes.
  ///
  /// - Parameters:
  ///   - clip: the clip's file; for one of several cameras, the file if the camera were alone.
  ///   - camera: the camera's name among several; `nil` for a lone camera.
  ///   - isMadeUp: whether the program generated that name and may change it.
  ///   - isNumbered: whether file names contain the take's number.
  ///   - followsTriggers: whether takes wait for triggers.
  ///   - facts: returns the values for words in braces.
  init(
    clip: FilePath, camera: String? = nil, isMadeUp: Bool, isNumbered: Bool, followsTriggers: Bool = false,
    facts: @escaping @Sendable () -> NameTemplate.Facts
  ) {
    template = NameTemplate(clip).map { ($0, facts) }
    self.clip = clip
    self.camera = camera
    self.isMadeUp = isMadeUp
    self.isNumbered = isNumbered
    self.followsTriggers = followsTriggers
  }

  /// Returns whether the name of a take was generated, and may therefore change.
  ///
  /// A take that follows an interruption or a change of mode has such a name too.
  func isGenerated(_ number: Int) -> Bool { isMadeUp || template != nil || number > 1 && !isNumbered }

  /// Updates the date in a take's name from its preparation to its recording, and returns whether the name
  /// changes.
  func note(_ number: Int, capturedAt date: Date) -> Bool {
    guard let template, followsTriggers else { return false }
    return facts.withLock { facts in
      guard var known = facts[number] else { return false }
      let former = template.name.name(known, 1)
      known.date = date
      facts[number] = known
      return isProvisional(number) || template.name.name(known, 1) != former
    }
  }

  /// Returns whether a take is prepared under a temporary name.
  ///
  /// A later take is prepared as soon as the one before it is over, often within the same second, and must
  /// not occupy the name that the earlier one is about to get. A name with milliseconds is another one.
  private func isProvisional(_ number: Int) -> Bool {
    template?.name.words.contains(.ms) == false && followsTriggers && number > 1
  }

  /// Returns the name, without extension, of a still captured at `date`; `nil` if names of takes do not
  /// contain the time.
  func still(at date: Date) -> FilePath? {
    if let template {
      guard template.name.tellsTime else { return nil }
      var facts = template.facts()
      facts.date = date
      return template.name.name(facts, 1).withoutExtension
    }
    return isMadeUp ? clip.beside(LibraryFolder.stem(at: date)) : nil
  }

  /// Returns the initial files of a take: those of the given name, or of the first free generated name.
  func files(_ number: Int = 1, in container: Container) -> TakeFiles {
    guard isGenerated(number) else {
      return TakeFiles(clip: ofCamera(isNumbered ? numbered(number) : clip), container: container)
    }
    return freeFiles(number, in: container, isPrepared: isProvisional(number))
  }

  /// Returns the files of the first free name of a take whose name is generated.
  ///
  /// - Parameter isPrepared: whether it has a temporary name until it has been recorded.
  func freeFiles(_ number: Int, in container: Container, isPrepared: Bool = false) -> TakeFiles {
    var attempt = 1
    while true {
      let name = generated(number, attempt)
      let files = TakeFiles(clip: ofCamera(isPrepared ? name.provisional : name), container: container)
      if !files.areReserved { return files }
      attempt += 1
    }
  }

  /// Returns a take's generated name; each `attempt` from 2 on has the next number.
  private func generated(_ number: Int, _ attempt: Int) -> FilePath {
    if let template {
      let facts = facts.withLock { facts in
        let known = facts[number] ?? template.facts()
        facts[number] = known
        return known
      }
      return template.name.name(facts, attempt)
    }
    if number > 1, !isNumbered { return numbered(number + attempt - 1) }
    let first = isNumbered ? numbered(number) : clip
    return attempt == 1 ? first : first.numbered(attempt)
  }

  private func numbered(_ number: Int) -> FilePath { clip.numbered(number) }

  /// Returns `path` as this camera's file.
  private func ofCamera(_ path: FilePath) -> FilePath { camera.map(path.suffixed) ?? path }

  /// Refuses to record if the result could not be saved under its name.
  ///
  /// - Throws: `OvercrankError` with `cannotCreate`; with `busy` if another program is using a file to be
  ///   replaced.
  func check(replacing: Bool, in container: Container) throws(OvercrankError) {
    // Generated names are free.
    guard !isGenerated(1) else { return }
    let paths = isNumbered ? numberedFiles : files(in: container).all
    for path in paths {
      // Not even a take that replaces another replaces another program's part.
      if path.name.hasSuffix(TakeFiles.takeSuffix) { try path.checkHasNoForeignPart() }
      if !replacing { try path.checkHasNoPart() }
    }
    for path in paths {
      guard let type = try? Stat(path, followTargetSymlink: false).type else { continue }
      guard [.regular, .symbolicLink].contains(type) else {
        throw OvercrankError(
          .cannotCreate, "\(path): exists, and is not a file that can be replaced. Choose another name.")
      }
      guard replacing else { throw OvercrankError.alreadyExists(path) }
      try FileLock.checkIsNoInput(path)
      if path.name.hasSuffix(TakeFiles.takeSuffix) { try path.checkIsNoLink() }
    }
    // Fails now rather than after the recording. Take files are left out: their locks are brief.
    guard replacing else { return }
    _ = try FileLock(paths.filter { !$0.name.hasSuffix(TakeFiles.takeSuffix) }, for: .changing)
  }

  /// The existing files of all numbered takes of this name.
  private var numberedFiles: [FilePath] {
    let (name, end) = ((clip.stem ?? "") + "-", camera.map { "-\($0)." } ?? ".")
    let files = (try? FileManager.default.contentsOfDirectory(atPath: clip.folder.string)) ?? []
    return files.sorted().filter { file in
      guard file.hasPrefix(name) else { return false }
      let rest = file.dropFirst(name.count).drop(while: \.isNumber)
      return rest.count < file.count - name.count && rest.hasPrefix(end) && !rest.hasSuffix(".part")
    }.map { clip.beside($0) }
  }
}

extension TakeFiles {
  /// Every file of the take.
  var all: [FilePath] { [clip, master, take] }

  /// Whether any of its files exists.
  var areTaken: Bool { all.contains { (try? Stat($0, followTargetSymlink: false)) != nil } }

  /// Whether any of its files exists, is being written or was cut off.
  var areReserved: Bool {
    areTaken || all.contains { AbandonedPart.exists(for: $0) || AbandonedPart.hasJournal(of: $0) }
  }
}

extension FilePath {
  /// Returns the name with a number appended: `drop-2.mp4`.
  func numbered(_ number: Int) -> FilePath { suffixed("\(number)") }

  /// Returns the name with a suffix appended: `drop-A.mp4`.
  func suffixed(_ suffix: String) -> FilePath {
    beside("\(stem ?? "")-\(suffix)\(self.extension.map { ".\($0)" } ?? "")")
  }

  /// A temporary name with milliseconds appended: `drop.345.mp4`.
  fileprivate var provisional: FilePath {
    let milliseconds = LibraryFolder.stamp(Date()).suffix(3)
    return beside("\(stem ?? "").\(milliseconds)\(self.extension.map { ".\($0)" } ?? "")")
  }
}
