import CameraModel
import Cameras
import Capture
import FoundationEssentials
import Media
import Platform
import Synchronization
import SystemPackage
import Takes

/// The takes of one recording, added as they end.
final class RecordedTakes: Sendable {
  private struct State {
    var files: [Int: TakeFiles] = [:]
    /// The files being recorded into, whatever their final names.
    var identities: [Int: FileIdentity] = [:]
    /// The locks on them, which last until their take files are written.
    var locks: [Int: FileLock] = [:]
    var turn: PictureTurn?
    var takes: [FinishedTake] = []
    var failure: OvercrankError?
  }

  private let names: TakeNames
  private let isReplacing: Bool
  private let clock: SessionClock
  private let metadata: TakeMetadata
  private let early: EarlyClips?
  private let makesClips: Bool
  private let state = Mutex(State())

  /// Creates the takes of a recording.
  ///
  /// - Parameters:
  ///   - first: the files promised for the first take.
  ///   - clock: the session's clock.
  ///   - metadata: the metadata of the first take before its first frame.
  ///   - early: renders their clips during the recording; `nil` if that is not wanted or not possible.
  ///   - makesClips: whether a clip of each take will be made, for which its master is locked.
  init(
    names: TakeNames, first: TakeFiles, replacing isReplacing: Bool, clock: SessionClock,
    metadata: TakeMetadata, early: EarlyClips?, makesClips: Bool
  ) {
    self.makesClips = makesClips
    self.early = early
    self.names = names
    self.isReplacing = isReplacing
    self.clock = clock
    self.metadata = metadata
    state.withLock { state in
      state.files[1] = first
      state.turn = metadata.turn
    }
  }

  /// The turn of the clips of takes that end from now on.
  var turn: PictureTurn? {
    get { state.withLock { $0.turn } }
    set { state.withLock { $0.turn = newValue } }
  }

  /// Opens the master of a take.
  func master(of take: TakeContext) throws(CaptureError) -> MasterWriter {
    guard let format = MasterFormat(take.configuration.frameFormat.pixelFormat) else {
      throw .camera(
        OvercrankError(
          .noMode, "\(take.camera) in \(take.mode): frames of this format cannot be written yet."))
    }
    while true {
      let files = files(of: take.number, in: format.container)
      let settle: ((Date?) -> FilePath)? =
        names.isGenerated(take.number)
        ? { [self] in settledFiles(of: take.number, files, in: format.container, capturedAt: $0).master }
        : nil
      let growing = early.map { _ in GrowingMaster() }
      do throws(OvercrankError) {
        let master = try MasterWriter(
          to: files.master, as: format, of: take.configuration.frameFormat, replacing: isReplacing,
          audio: take.audio, metadata: metadata(of: take), keepingJournal: true,
          sizeLimit: metadata.sizeLimit, named: settle, growing: growing)
        state.withLock { state in
          state.identities[take.number] = master.identity
          state.locks[take.number] = master.lock
        }
        if let growing { early?.begin(take.number, of: growing, in: files.master.folder) }
        return master
      } catch {
        // Another program reserved the name first.
        guard [.cannotCreate, .busy].contains(error.code), names.isGenerated(take.number), files.areReserved
        else {
          throw .master(error)
        }
        state.withLock { $0.files[take.number] = names.files(take.number, in: format.container) }
      }
    }
  }

  /// Returns the files of a take: the first has the promised name; one that follows an interruption or a
  /// change of mode has the next free name.
  private func files(of number: Int, in container: Container) -> TakeFiles {
    state.withLock { state in
      // A mode selected before the first frame may have needed another container.
      if let files = state.files[number], files.master.extension == container.fileExtension {
        return files
      }
      let files = names.files(number, in: container)
      state.files[number] = files
      return files
    }
  }

  /// Returns the final files of a take with a generated name: named by the time of its recording, or by the
  /// next number if one of `files` was taken during the recording.
  private func settledFiles(
    of number: Int, _ files: TakeFiles, in container: Container, capturedAt date: Date?
  ) -> TakeFiles {
    let isOther = date.map { names.note(number, capturedAt: $0) } ?? false
    let settled = isOther || files.areTaken ? names.freeFiles(number, in: container) : files
    state.withLock { $0.files[number] = settled }
    return settled
  }

  /// Returns the metadata of a take before its first frame.
  private func metadata(of take: TakeContext) -> TakeMetadata {
    var metadata = metadata
    if take.mode != metadata.mode {
      // The mode was changed while the session ran, so the request no longer applies.
      metadata.requestedFramesPerSecond = nil
      metadata.requestedMode = take.mode
      metadata.refusedModes = nil
      metadata.quality = nil
    }
    metadata.camera.name = take.camera
    metadata.mode = take.mode
    metadata.startedAt = clock.date.formatted(.iso8601)
    metadata.turn = turn
    return metadata
  }

  /// Writes the take file of an ended take. Called on the thread that closed the take.
  func ended(_ number: Int, _ result: Result<Recording, CaptureError>) {
    // Other programs see the master from now on. To them, it is being recorded until its take file is complete.
    let held = state.withLock { $0.locks.removeValue(forKey: number) }
    defer { if !makesClips { held?.release() } }
    do {
      let recording = try result.get()
      let (found, identity) = state.withLock { ($0.files[number], $0.identities[number]) }
      guard let files = found else { return }
      let take = Take(
        recording, metadata: metadata(of: recording.context), master: files.master.name)
      do throws(OvercrankError) {
        try take.write(to: files.take, replacing: isReplacing, canBeMadeAgain: true)
      } catch {
        throw OvercrankError(
          error.code,
          "\(error) The master, \(files.master), is complete, and its journal is kept: the take can be made "
            + "from it.",
          remedy: .recover(files.master))
      }
      MasterWriter.removeJournal(of: files.master)
      // If another program takes the lock first, the clip is refused.
      let lock = makesClips && held?.admitReaders() == true ? held : nil
      state.withLock {
        $0.takes.append(
          FinishedTake(
            number: number, files: files, recording: recording, take: take, identity: identity, lock: lock,
            clock: clock))
      }
    } catch {
      state.withLock { $0.failure = $0.failure ?? OvercrankError(recording: error) }
    }
  }

  /// Returns the files of a take that has been prepared.
  func files(ofTake number: Int) -> TakeFiles? { state.withLock { $0.files[number] } }

  /// The takes that have ended, in order.
  var takes: [FinishedTake] { state.withLock { $0.takes.sorted { $0.number < $1.number } } }

  /// Returns all takes, in order, once the session has come to `end`.
  func all(_ end: SessionEnd) -> FinishedRecording {
    state.withLock { state in
      let takes = state.takes.sorted { $0.number < $1.number }
      let failure =
        end.failure.map(OvercrankError.init) ?? state.failure
        // An interruption that the session recovered from is not a failure of the recording.
        ?? takes.compactMap(\.recording.failure).first { !$0.isInterruption }.map(OvercrankError.init)
      return FinishedRecording(
        takes: takes, failure: failure, restoreFailure: end.restoreFailure)
    }
  }
}
