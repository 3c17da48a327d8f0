public import CameraModel
import FoundationEssentials
public import Platform
public import SystemPackage
import Timebase

/// The summary of a take for a list: the beginning of its file, without the numbers and times of its frames.
public struct TakeDescription: Decodable, Hashable, Sendable {
  /// The version of Overcrank that recorded it.
  public let overcrank: String
  /// The camera that recorded it.
  public let camera: CameraIdentity
  /// The mode that was recorded.
  public let mode: Mode
  /// The rate from the frames' own numbers and times; `nil` for fewer than two frames.
  public let measuredFramesPerSecond: Double?
  /// The time at which it began, in UTC as ISO 8601.
  public let startedAt: String
  /// The label from the user; `nil` if there is none.
  public let label: String?
  /// The counts of frames.
  public let frames: Take.FrameCounts
  /// The master's file name; `nil` if it was discarded.
  public let master: String?
  /// The clips made from it.
  public let clips: [Take.Clip]
  /// The requested clip; `nil` if there was none, and in takes of older versions.
  public let wantedClip: ClipDescription?
  /// The words that request it in takes of version 0.2.0 and earlier.
  public let clipWords: [String]?
  /// The trigger that began it; `nil` in a recovered take.
  public let trigger: Take.Trigger?
  /// The reason why the recording ended early; `nil` if it did not.
  public let failure: String?

  enum CodingKeys: String, CodingKey, CaseIterable {
    case overcrank, camera, mode, label, frames, master, clips, trigger, failure
    case measuredFramesPerSecond = "measured_fps"
    case startedAt = "started_at"
    case wantedClip = "wanted_clip"
    case clipWords = "clip_options"
  }

  /// Reads the beginning of the take file at `path`.
  ///
  /// - Throws: `OvercrankError` with `noInput` if there is no such file, `badData` if it is not a take.
  public init(_ path: FilePath) throws(OvercrankError) {
    self = try Self.read(path)
  }

  private static func read(_ path: FilePath) throws(OvercrankError) -> TakeDescription {
    let head: Head
    do throws(OvercrankError) {
      head = try decode(Take.descriptionBytes(in: path), of: path)
    } catch {
      guard error.code == .badData, let take = rewritten(path) else { throw error }
      return take
    }
    return head.isComplete ? head.description : rewritten(path) ?? head.description
  }

  /// Returns the take in a file whose keys another program may have put in another order.
  private static func rewritten(_ path: FilePath) -> TakeDescription? {
    guard let text = try? InputFile.bytes(of: path, upTo: largestRewritten),
      (try? Take.read(from: path)) != nil
    else { return nil }
    return try? decode(text, of: path)
  }

  /// The maximum size of a take file that is read as a whole.
  private static let largestRewritten: Int64 = 1 << 26

  private static func decode<Content: Decodable>(
    _ text: [UInt8], of path: FilePath
  ) throws(OvercrankError) -> Content {
    do {
      return try JSONDecoder().decode(Content.self, from: Data(text))
    } catch {
      throw OvercrankError(
        .badData, "\(path) is not a take that this version can read: \(error.decodingWords).")
    }
  }

  /// The beginning of a take file.
  private struct Head: Decodable {
    let description: TakeDescription
    /// Whether every key of the description is in it, as in a file that Overcrank wrote.
    let isComplete: Bool

    init(from decoder: any Decoder) throws {
      description = try TakeDescription(from: decoder)
      let keys = Set(try decoder.container(keyedBy: CodingKeys.self).allKeys)
      let missing = Set(CodingKeys.allCases).subtracting(keys)
      isComplete = missing == [.clipWords] || missing == [.wantedClip] || missing.isEmpty
    }
  }

  /// The videos that it names, each once.
  package var videos: [String] {
    // Compared by bytes: names that look the same may be those of two files.
    var known: Set<[UInt8]> = []
    return ([master].compactMap(\.self) + clips.map(\.file)).filter { known.insert(Array($0.utf8)).inserted }
  }

  /// The duration in capture time; `nil` for fewer than two frames.
  public var length: Duration? {
    guard let rate = measuredFramesPerSecond, rate > 0 else { return nil }
    return .nanoseconds(Int64(clamping: (Double(frames.sent) / rate * 1e9).rounded()))
  }
}

extension FilePath {
  /// Returns the file called `name` beside this take; `nil` if the name leads to another folder.
  package func file(named name: String) -> FilePath? {
    guard !name.contains("\0"), let component = FilePath.Component(name), component.kind == .regular,
      component.string == name
    else { return nil }
    return beside(name)
  }
}
