import Foundation

/// The parsers of foreign bytes, each by its name in `script/test fuzz --guided`, which is also
/// the name of its folder in `Tests/Fixtures/Corpora`.
///
/// A parser may refuse the bytes. A crash, a hang, or a broken promise about the values read
/// (``Broken``) is a finding.
package enum FuzzedParser: String, CaseIterable, Sendable {
  /// The journal of a master that was cut off, and the recovery with it.
  case journal
  /// A take's JSON, and the clips that follow from its times.
  case take
  /// A camera table as JSON, and everything computed from it.
  case table
  /// A camera table as v4l2-ctl prints it.
  case listing
  /// A profile.
  case profile
  /// A speed curve.
  case curve
  /// Values on the command line: rates, durations, sizes, crops, triggers, rings, controls.
  case quantity
  /// The address of a simulated camera with its faults, and some frames of it.
  case simulator
  /// The frames' times in a source or a take, as numbers.
  case timing
  /// The numbers that a driver returns.
  case driver
  /// The index of a MOV or MP4 whose speed is changed in place.
  case movie
  /// The capture rate of a phone's video, by its index and its trailer, or by its sidecar.
  case phone
  /// A JPEG: its markers, its Huffman tables, its pixels.
  case jpeg
  /// The lines of a trigger's socket.
  case socket
  /// The lines of standard input, in pieces of any size.
  case lines
  /// A media graph, and its drivers' answers during a search for paths through it.
  case pipeline

  /// Reads `bytes`.
  ///
  /// - Throws: ``Broken`` if a promise was broken; a refusal of the bytes is not reported.
  package func feed(_ bytes: [UInt8]) throws(Broken) {
    switch self {
    case .journal: try feedJournal(bytes)
    case .take: try feedTake(bytes)
    case .table: try feedTable(bytes)
    case .listing: try feedListing(bytes)
    case .profile: try feedProfile(bytes)
    case .curve: try feedCurve(bytes)
    case .quantity: try feedQuantity(bytes)
    case .simulator: try feedSimulator(bytes)
    case .timing: try feedTiming(bytes)
    case .driver: try feedDriver(bytes)
    case .movie: try feedMovie(bytes)
    case .phone: try feedPhone(bytes)
    case .jpeg: try feedJPEG(bytes)
    case .socket: try feedSocket(bytes)
    case .lines: try feedLines(bytes)
    case .pipeline: try feedPipeline(bytes)
    }
  }
}

/// A parser broke its promise.
package struct Broken: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

/// Throws if `isKept` is false.
func promise(_ isKept: Bool, _ words: @autoclosure () -> String) throws(Broken) {
  guard isKept else { throw Broken(words()) }
}

/// The folder of this process for parsers that read files; in memory if the system has such a place.
let workFolder: URL = {
  let memory = "/dev/shm"
  let parent =
    FileManager.default.isWritableFile(atPath: memory)
    ? URL(filePath: memory) : FileManager.default.temporaryDirectory
  let folder = parent.appending(path: "overcrank-fuzz-\(ProcessInfo.processInfo.processIdentifier)")
  try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  atexit { try? FileManager.default.removeItem(at: workFolder) }
  return folder
}()
