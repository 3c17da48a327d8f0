import FoundationEssentials
import Media
import Platform
import SystemPackage
import Takes

/// What the files of a recording's takes are called.
final class TakeNames: Sendable {
  private let clip: FilePath
  /// What fills the words of the name in, where it has some.
  private let template: (name: NameTemplate, facts: @Sendable () -> NameTemplate.Facts)?
  /// Whether the number of a take is in its files' names.
  let isNumbered: Bool

  /// - Parameters:
  ///   - clip: the clip's file.
  ///   - isNumbered: whether the number of a take is in its files' names.
  ///   - facts: what each take fills in where words of the name stand in braces.
  init(
    clip: FilePath, isNumbered: Bool, facts: @escaping @Sendable () -> NameTemplate.Facts
  ) {
    template = NameTemplate(clip).map { ($0, facts) }
    self.clip = clip
    self.isNumbered = isNumbered
  }

  /// The files of the take that was promised the name.
  func files(_ number: Int = 1, in container: Container) -> TakeFiles {
    if let template { return Self.free(from: 1, in: container, template.name, template.facts()) }
    return isNumbered ? numbered(number, in: container) : TakeFiles(clip: clip, container: container)
  }

  /// The first files of such a name that are free. A part that is there is a name that is taken.
  private static func free(
    from number: Int, in container: Container, _ name: NameTemplate, _ facts: NameTemplate.Facts
  ) -> TakeFiles {
    var number = number
    while true {
      let files = TakeFiles(clip: name.name(facts, number), container: container)
      if !files.all.contains(where: { $0.isThere || AbandonedPart.exists(for: $0) }) { return files }
      number += 1
    }
  }

  /// The files of a take whose number is in their names.
  private func numbered(_ number: Int, in container: Container) -> TakeFiles {
    let fileExtension = clip.extension.map { ".\($0)" } ?? ""
    return TakeFiles(
      clip: clip.beside("\(clip.stem ?? "")-\(number)\(fileExtension)"), container: container)
  }

  /// The files of a take that nobody promised a name: the first number from `number` on that is free.
  func freeFiles(from number: Int, in container: Container) -> TakeFiles {
    if template != nil { return files(in: container) }
    var number = number
    while true {
      let files = numbered(number, in: container)
      if !files.all.contains(where: \.isThere) { return files }
      number += 1
    }
  }

  /// Refuses to record what could not be saved under its name.
  ///
  /// - Throws: `FileError` with `cannotCreate`.
  func check(replacing: Bool, in container: Container) throws(FileError) {
    // Those are free.
    guard template == nil else { return }
    for path in isNumbered ? numberedFiles : files(in: container).all {
      guard let type = try? Stat(path, followTargetSymlink: false).type else { continue }
      guard [.regular, .symbolicLink].contains(type) else {
        throw FileError(
          .cannotCreate, "\(path): exists and is not a file that could be replaced. Choose another name.")
      }
      guard replacing else { throw FileError.alreadyExists(path) }
    }
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
}
