import FoundationEssentials
public import SystemPackage
import Timebase

/// A name with words in braces that each take fills in: `{date}-{camera}-{n}.mp4`.
public struct NameTemplate: Hashable, Sendable {
  /// A word that a take fills in.
  public enum Word: String, CaseIterable, Sendable {
    /// The date in local time, such as `20190101`.
    case date
    /// The time in local time, such as `125900`.
    case time
    /// The milliseconds of that second, such as `999`.
    case ms
    /// The camera's card, or the name under which it was opened.
    case camera
    /// The mode's rate.
    case fps
    /// The take's label.
    case label
    /// The first free number.
    case n
  }

  /// The name with its words in braces.
  public let path: FilePath

  /// Creates the template in `path`; `nil` if it has no braces and is an ordinary name.
  public init?(_ path: FilePath) {
    guard path.name.contains("{") else { return nil }
    self.path = path
  }

  /// The names in braces that are not words; empty if all are.
  public var unknownWords: [String] { braced.filter { Word(rawValue: $0) == nil } }

  /// The words in the name.
  public var words: [Word] { braced.compactMap(Word.init) }

  private var braced: [String] { path.name.matches(of: /\{([^}]*)\}?/).map { String($0.output.1) } }

  /// Whether the name contains the time, so that takes of different seconds have different names.
  var tellsTime: Bool { path.name.contains("{\(Word.time.rawValue)}") }

  /// The values that a take fills in.
  struct Facts {
    var date: Date
    var camera: String
    var rate: FrameRate?
    var label: String?
  }

  /// Returns the name of a take with number `n`; without a word for it, numbers from 2 on are appended.
  func name(_ facts: Facts, _ n: Int) -> FilePath {
    let stamp = LibraryFolder.stamp(facts.date)
    let name = path.name.replacing(/\{([a-z]+)\}/) { match in
      switch Word(rawValue: String(match.output.1)) {
      case .date: String(stamp.prefix(8))
      case .time: String(stamp.dropFirst(9).prefix(6))
      case .ms: String(stamp.suffix(3))
      case .camera: Self.plain(facts.camera)
      case .fps: facts.rate.map { Self.plain($0.description) } ?? "unknown"
      case .label: Self.plain(facts.label ?? "")
      case .n: "\(n)"
      case nil: String(match.output.0)
      }
    }
    // A name left with only its extension would be hidden.
    let isEmpty = name.hasPrefix(".") && !path.name.hasPrefix(".")
    let filled = path.beside(isEmpty ? "take\(name)" : name)
    guard n > 1, !path.name.contains("{\(Word.n.rawValue)}") else { return filled }
    return filled.numbered(n)
  }

  /// Returns the text as part of a name that any file system accepts.
  private static func plain(_ text: String) -> String {
    let kept = text.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "-" }
    return String(String(kept).split(separator: "-").joined(separator: "-").prefix(60))
  }
}
