import Foundation
import Media
import Takes

/// The files of one take, or of several that are numbered from 1.
struct TakeNames: Sendable {
  private let clip: String
  private let container: Container
  private let isNumbered: Bool

  init(clip: String, container: Container, isNumbered: Bool) {
    self.clip = clip
    self.container = container
    self.isNumbered = isNumbered
  }

  /// The files of a take.
  func files(_ number: Int = 1) -> TakeFiles {
    isNumbered ? numbered(number) : TakeFiles(clip: clip, container: container)
  }

  /// The files of a take whose number is in their names.
  func numbered(_ number: Int) -> TakeFiles {
    let stem = TakeFiles.stem(of: clip)
    return TakeFiles(clip: "\(stem)-\(number)\(clip.dropFirst(stem.count))", container: container)
  }

  /// Refuses to film what could not be saved under its name.
  func check(replacing: Bool) throws {
    for path in isNumbered ? numberedFiles : [files().clip, files().master, files().take] {
      guard let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
      else { continue }
      guard [.typeRegular, .typeSymbolicLink].contains(type) else {
        throw Failure(
          "\(path) is there and is no file that could be replaced. Choose another name with -o.",
          exitCode: ExitStatus.cannotCreate)
      }
      guard !replacing else { continue }
      throw Failure(
        "\(path) exists already and is left as it is. Choose another name with -o, or replace it with --force.",
        exitCode: ExitStatus.cannotCreate)
    }
  }

  /// What there is already of any numbered take of this name.
  private var numberedFiles: [String] {
    let stem = TakeFiles.stem(of: clip)
    let name = TakeFiles.name(of: stem) + "-"
    let folder = String(stem.dropLast(name.count - 1))
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
    return files.sorted().filter { file in
      guard file.hasPrefix(name) else { return false }
      let rest = file.dropFirst(name.count).drop(while: \.isNumber)
      return rest.count < file.count - name.count && rest.hasPrefix(".") && !rest.hasSuffix(".part")
    }.map { folder + $0 }
  }
}
