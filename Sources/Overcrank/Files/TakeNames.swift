import FoundationEssentials
import Media
import Platform
import Synchronization
import SystemPackage
import Takes

/// What the files of a recording's takes are called.
final class TakeNames: Sendable {
  private let clip: FilePath
  /// Whether the program made the name up.
  private let isMadeUp: Bool
  /// What fills the words of the name in, where it has some.
  private let template: (name: NameTemplate, facts: @Sendable () -> NameTemplate.Facts)?
  /// What the name of each take was filled in with.
  private let facts = Mutex<[Int: NameTemplate.Facts]>([:])
  /// Whether the number of a take is in its files' names.
  private let isNumbered: Bool
  /// Whether takes wait for triggers, so that their moments are known only when they are over.
  private let followsTriggers: Bool

  /// - Parameters:
  ///   - clip: the clip's file.
  ///   - isMadeUp: whether the program made that name up, so that another will do as well.
  ///   - isNumbered: whether the number of a take is in its files' names.
  ///   - followsTriggers: whether takes wait for triggers.
  ///   - facts: what each take fills in where words of the name stand in braces.
  init(
    clip: FilePath, isMadeUp: Bool, isNumbered: Bool, followsTriggers: Bool = false,
    facts: @escaping @Sendable () -> NameTemplate.Facts
  ) {
    template = NameTemplate(clip).map { ($0, facts) }
    self.clip = clip
    self.isMadeUp = isMadeUp
    self.isNumbered = isNumbered
    self.followsTriggers = followsTriggers
  }

  /// Whether the name of a take was generated, so that it may become another: nobody was promised it.
  ///
  /// A take that follows from an interruption or a change of mode has such a name too.
  func isGenerated(_ number: Int) -> Bool { isMadeUp || template != nil || number > 1 && !isNumbered }

  /// Has a take's name tell when it was filmed, and not when it was prepared; whether that makes it another.
  func note(_ number: Int, filmedAt date: Date) -> Bool {
    guard let template, followsTriggers else { return false }
    return facts.withLock { facts in
      guard var known = facts[number] else { return false }
      let former = template.name.name(known, 1)
      known.date = date
      facts[number] = known
      return isProvisional(number) || template.name.name(known, 1) != former
    }
  }

  /// Whether a take is prepared under a name that it does not keep.
  ///
  /// The one after the first is prepared as soon as that is over, often in the second that tells when that was filmed:
  /// it may not have the name that the former is about to get.
  private func isProvisional(_ number: Int) -> Bool { template != nil && followsTriggers && number > 1 }

  /// What a still is called that is captured at `date`, without what it ends in; `nil` where names of takes tell no time.
  func still(at date: Date) -> FilePath? {
    if let template {
      guard template.name.tellsTime else { return nil }
      var facts = template.facts()
      facts.date = date
      return template.name.name(facts, 1).withoutExtension
    }
    return isMadeUp ? clip.beside(LibraryFolder.stem(at: date)) : nil
  }

  /// The files that a take begins with: those of the name that was given, or of the first generated name that is free.
  func files(_ number: Int = 1, in container: Container) -> TakeFiles {
    guard isGenerated(number) else {
      return TakeFiles(clip: isNumbered ? numbered(number) : clip, container: container)
    }
    return freeFiles(number, in: container, isPrepared: isProvisional(number))
  }

  /// The files of the first free name of a take whose name is generated.
  ///
  /// - Parameter isPrepared: whether it is to have a name beside that until it has been filmed.
  func freeFiles(_ number: Int, in container: Container, isPrepared: Bool = false) -> TakeFiles {
    var attempt = 1
    while true {
      let name = generated(number, attempt)
      let files = TakeFiles(clip: isPrepared ? name.provisional : name, container: container)
      if !files.areReserved { return files }
      attempt += 1
    }
  }

  /// A take's generated name, with the next number for each `attempt` from 2 on.
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

  /// Refuses to record what could not be saved under its name.
  ///
  /// - Throws: `OvercrankError` with `cannotCreate`; with `busy` where another program is at work with what would be replaced.
  func check(replacing: Bool, in container: Container) throws(OvercrankError) {
    // Those are free.
    guard !isGenerated(1) else { return }
    let paths = isNumbered ? numberedFiles : files(in: container).all
    for path in paths {
      guard let type = try? Stat(path, followTargetSymlink: false).type else { continue }
      guard [.regular, .symbolicLink].contains(type) else {
        throw OvercrankError(
          .cannotCreate, "\(path): exists and is not a file that could be replaced. Choose another name.")
      }
      guard replacing else { throw OvercrankError.alreadyExists(path) }
    }
    // Better now than when all is recorded. A take is changed in no time, and waited for.
    guard replacing else { return }
    _ = try FileLock(paths.filter { !$0.name.hasSuffix(TakeFiles.takeSuffix) }, for: .changing)
  }

  /// What there is already of any numbered take of this name.
  private var numberedFiles: [FilePath] {
    let name = (clip.stem ?? "") + "-"
    let files = (try? FileManager.default.contentsOfDirectory(atPath: clip.folder.string)) ?? []
    return files.sorted().filter { file in
      guard file.hasPrefix(name) else { return false }
      let rest = file.dropFirst(name.count).drop(while: \.isNumber)
      return rest.count < file.count - name.count && rest.hasPrefix(".") && !rest.hasSuffix(".part")
    }.map { clip.beside($0) }
  }
}

extension TakeFiles {
  /// Every file of the take.
  var all: [FilePath] { [clip, master, take] }

  /// Whether one of its names is that of a file.
  var areTaken: Bool { all.contains { (try? Stat($0, followTargetSymlink: false)) != nil } }

  /// Whether one of its names is that of a file, or of one that is being written or was cut off.
  var areReserved: Bool {
    areTaken || all.contains { AbandonedPart.exists(for: $0) || AbandonedPart.hasJournal(of: $0) }
  }
}

extension FilePath {
  /// The name with a number behind it: `drop-2.mp4`.
  func numbered(_ number: Int) -> FilePath {
    beside("\(stem ?? "")-\(number)\(self.extension.map { ".\($0)" } ?? "")")
  }

  /// The name with more of the time behind it, which no take keeps: `drop.345.mp4`.
  fileprivate var provisional: FilePath {
    let milliseconds = LibraryFolder.stamp(Date()).suffix(3)
    return beside("\(stem ?? "").\(milliseconds)\(self.extension.map { ".\($0)" } ?? "")")
  }
}
