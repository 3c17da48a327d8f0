import Foundation

/// What reads bytes that others made: each by the name that `script/test fuzz --guided` takes, which is also
/// that of its folder in `Tests/Fixtures/Corpora`.
///
/// To refuse the bytes is fine. To crash, to hang, or to break what a parser promises of what it read
/// (``Broken``) is a finding.
package enum FuzzedParser: String, CaseIterable, Sendable {
  /// The journal of a master that was cut off, and the recovery by it.
  case journal
  /// A take's JSON, and the clips that follow from its times.
  case take
  /// A camera table as JSON, and all that is reckoned from it.
  case table
  /// A camera table as v4l2-ctl prints it.
  case listing
  /// A profile.
  case profile
  /// A speed curve.
  case curve
  /// What is written on the command line: rates, durations, sizes, crops, triggers, rings, controls.
  case quantity
  /// The address of a simulated camera with its faults, and some frames of it.
  case simulator
  /// The frames' times that a film or a take gives, as numbers.
  case timing
  /// The numbers that a driver gives.
  case driver
  /// The index of a MOV or MP4 whose speed is changed in place.
  case movie
  /// How fast a phone's film was captured, by its index and its trailer, or by its sidecar.
  case phone
  /// A JPEG: its markers, its Huffman tables, its pixels.
  case jpeg
  /// The lines of a trigger's socket.
  case socket
  /// The lines of standard input, in whatever pieces they come.
  case lines
  /// A media graph, and what its drivers answer while ways through it are searched.
  case pipeline

  /// Reads `bytes`.
  ///
  /// - Throws: ``Broken`` where a promise was broken; whether the bytes were refused does not show.
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

/// A parser did not keep what it promises.
package struct Broken: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

/// Throws where `isKept` is false.
func promise(_ isKept: Bool, _ words: @autoclosure () -> String) throws(Broken) {
  guard isKept else { throw Broken(words()) }
}

/// The folder of this process for parsers that read files; in memory where there is such a place.
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
