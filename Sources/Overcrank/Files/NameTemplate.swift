import FoundationEssentials
import Platform
public import SystemPackage
import Timebase

/// A name with words in braces, which each take fills in: `{date}-{camera}-{n}.mp4`.
public struct NameTemplate: Hashable, Sendable {
  /// What a take fills in.
  public enum Word: String, CaseIterable, Sendable {
    /// `20190101`, in local time.
    case date
    /// `125900`, in local time.
    case time
    /// The camera's card, or how it was opened.
    case camera
    /// The mode's rate.
    case fps
    /// What the take is called.
    case label
    /// The first number that is free.
    case n
  }

  /// The name as it was given.
  public let path: FilePath

  /// The template in `path`; `nil` where nothing in it stands in braces, so that it is a name as it is.
  public init?(_ path: FilePath) {
    guard path.name.contains("{") else { return nil }
    self.path = path
  }

  /// What stands in braces and is no word; empty where all is.
  public var unknownWords: [String] { braced.filter { Word(rawValue: $0) == nil } }

  /// The words that stand in it.
  public var words: [Word] { braced.compactMap(Word.init) }

  private var braced: [String] { path.name.matches(of: /\{([^}]*)\}?/).map { String($0.output.1) } }

  /// Whether two takes of different seconds have different names.
  var tellsTime: Bool { path.name.contains("{\(Word.time.rawValue)}") }

  /// What a take fills in.
  struct Facts {
    var date: Date
    var camera: String
    var rate: FrameRate?
    var label: String?
  }

  /// The name of a take, with number `n`; where there is no word for that, it comes behind the name from 2 on.
  func name(_ facts: Facts, _ n: Int) -> FilePath {
    let stamp = LibraryFolder.stamp(facts.date)
    let name = path.name.replacing(/\{([a-z]+)\}/) { match in
      switch Word(rawValue: String(match.output.1)) {
      case .date: String(stamp.prefix(8))
      case .time: String(stamp.dropFirst(9).prefix(6))
      case .camera: Self.plain(facts.camera)
      case .fps: facts.rate?.description ?? "unknown"
      case .label: Self.plain(facts.label ?? "")
      case .n: "\(n)"
      case nil: String(match.output.0)
      }
    }
    // A name that nothing was filled into would be hidden.
    let isEmpty = name.hasPrefix(".") && !path.name.hasPrefix(".")
    let filled = path.beside(isEmpty ? "take\(name)" : name)
    guard n > 1, !path.name.contains("{\(Word.n.rawValue)}") else { return filled }
    return filled.numbered(n)
  }

  /// The text as a part of a name that any file system takes.
  private static func plain(_ text: String) -> String {
    let kept = text.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "-" }
    return String(String(kept).split(separator: "-").joined(separator: "-").prefix(60))
  }
}
