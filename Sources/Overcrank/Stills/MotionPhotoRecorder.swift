public import Cameras
public import Capture
import FoundationEssentials
public import Platform
import Synchronization
public import SystemPackage
import Takes
import Timebase

/// Waits for triggers, and makes a Motion Photo around each.
///
/// A trigger soon after another extends the take, and each gets its own photo from it. A take is deleted once
/// all its photos are on the disk; if one could not be made, it stays.
public final class MotionPhotoRecorder: Sendable {
  /// The recorder of the takes from which photos are made.
  public let recorder: TakeRecorder
  /// The number of photos after which it ends; `nil` for no limit.
  public let count: Int?
  /// The kind of photos: one file or a pair.
  public let kind: MotionPhoto.Kind
  /// The photo's file, or the base of the names of several.
  public let path: FilePath
  /// The most photos whose names are checked before the first one.
  private static let mostChecked = 100
  private let isReplacing: Bool
  private let shots = Mutex(Shots())
  private let ended: AsyncStream<Int>
  private let endedTakes: AsyncStream<Int>.Continuation

  /// The triggers so far, and their outcomes.
  private struct Shots {
    /// The photos of each take, in the order of their triggers.
    var byTake: [Int: [StillRequest]] = [:]
    var begun = 0
    var photos: [MotionPhoto] = []
    var failure: OvercrankError?
  }

  /// Chooses and tries the mode, and checks that the photos can be saved; captures nothing yet.
  ///
  /// - Parameters:
  ///   - device: the camera.
  ///   - request: the mode, the controls, the microphone and the triggers; its plan and its clip are ignored.
  ///     Without a rate, the best mode at 60 frames per second is used.
  ///   - count: the number of photos after which it ends; `nil` for no limit.
  ///   - kind: the kind of photos: one file or a pair.
  ///   - profiles: what is known of cameras beyond their drivers' reports.
  /// - Throws: ``RecordError``; the camera's state is unchanged.
  public init(
    _ device: CaptureDevice, _ request: RecordRequest, count: Int? = 1,
    as kind: MotionPhoto.Kind = .motionPhoto,
    profiles: ProfileLibrary = ProfileLibrary()
  ) throws(RecordError) {
    var request = request
    do {
      path =
        try request.output
        ?? LibraryFolder.newName(at: Date(), suffix: String(kind.suffix.dropFirst()), in: request.folder)
    } catch {
      throw RecordError(error)
    }
    let stem = Self.stem(of: path)
    isReplacing = request.replacesFiles
    do throws(OvercrankError) {
      var photos: [FilePath] = []
      for _ in 0..<min(count ?? 1, Self.mostChecked) {
        let photo = count == 1 ? path : Self.path(after: photos, path, kind, replacing: isReplacing)
        for name in [photo, kind.video(of: photo)].compactMap(\.self) {
          if !isReplacing, name.exists { throw .alreadyExists(name) }
          try OutputFile.check(name, replacing: isReplacing)
        }
        photos.append(photo)
      }
    } catch {
      throw .failure(error)
    }
    // The extra time allows for a late trigger and one more frame, so that the video is complete.
    let reach = MotionPhoto.reach + .milliseconds(100)
    // The limit is twice as long, so that a trigger in that time finds the frames before it in this take.
    request.plan = SessionPlan(
      preRoll: reach, limit: RecordingLimit(duration: reach + reach), takeCount: nil,
      times: request.triggers.compactMap(\.time), interruptionResponse: request.plan.interruptionResponse)
    request.rate = request.rate ?? .rate(FrameRate(whole: 60))
    // The takes are temporary: they use the first free names and replace no files.
    let word = stem.contains("{") ? "photo" : stem
    request.output = path.beside("\(word)-{n}.mp4")
    request.replacesFiles = false
    request.clip = nil
    request.makesThumbnails = false
    recorder = try TakeRecorder(device, request, profiles: profiles)
    self.count = count
    self.kind = kind
    (ended, endedTakes) = AsyncStream.makeStream()
    recorder.session.onEvent { [weak self] event in self?.hear(event) }
  }

  /// Returns `x` for `x.MP.jpg` and `x.jpg`.
  private static func stem(of path: FilePath) -> String {
    let stem = path.stem ?? path.name
    return stem.lowercased().hasSuffix(".mp") ? String(stem.dropLast(3)) : stem
  }

  /// Opens the camera and waits for triggers; photos are made while it runs.
  ///
  /// - Parameter tell: called with each photo once it is written.
  /// - Throws: `OvercrankError` if a trigger source is not available or the camera cannot be opened.
  public func start(tell: @escaping @Sendable (MotionPhoto) -> Void = { _ in }) throws(OvercrankError) {
    let work = Task {
      for await take in self.ended { await self.makePhotos(ofTake: take, tell) }
    }
    recorder.endAfter { await work.value }
    do {
      try recorder.start()
    } catch {
      endedTakes.finish()
      throw error
    }
  }

  /// Waits for the session's end and the last photo.
  ///
  /// - Returns: the photos in the order of their triggers, and the error if some are missing.
  public func finish() async -> (photos: [MotionPhoto], failure: OvercrankError?) {
    let recording = await recorder.recorded()
    // No clip is made; this waits for the photos.
    _ = try? await recorder.finish()
    return shots.withLock { ($0.photos, $0.failure ?? recording.failure) }
  }

  /// Counts triggers. Called on the session's thread.
  private func hear(_ event: SessionEvent) {
    switch event.kind {
    case .triggered(_, .started(let take)), .triggered(_, .extended(let take)):
      // A trigger after the last photo's, but before its take has ended, makes no photo.
      let isWanted = shots.withLock { shots in count.map { shots.begun < $0 } ?? true }
      guard isWanted else { return }
      let request = recorder.session.commands.newStill()
      shots.withLock { shots in
        shots.byTake[take, default: []].append(request)
        shots.begun += 1
      }
      recorder.tell(request, .willBegin)
      recorder.tell(request, .willCapture)
    case .takeEnded(let take, _):
      endedTakes.yield(take)
      let isComplete = shots.withLock { shots in count.map { shots.begun >= $0 } == true }
      if isComplete { recorder.stop() }
    case .ended: endedTakes.finish()
    default: break
    }
  }

  private func makePhotos(ofTake number: Int, _ tell: (MotionPhoto) -> Void) async {
    let requests = shots.withLock { $0.byTake[number] ?? [] }
    guard let finished = recorder.takes.first(where: { $0.number == number }),
      let entry = TakeLibrary(finished.files.take.folder).entry(at: finished.files.take)
    else {
      for request in requests { recorder.tell(request, .failed("The take has no frames.")) }
      return
    }
    var isWhole = true
    for (request, moment) in zip(requests, finished.triggerMoments) {
      do throws(OvercrankError) {
        let index = try finished.frame(at: moment, in: entry)
        var date: Date?
        if let frame = finished.take.frameList.lazy.dropFirst(index).first(where: { _ in true }) {
          date = finished.date(of: frame)
          recorder.tell(request, .captured(sequence: UInt32(truncatingIfNeeded: frame.sequence), nil))
        }
        let photo = try await MotionPhoto.make(
          ofFrame: index, in: entry, to: nextPath(), as: kind, at: date, replacing: isReplacing
        ) { self.recorder.tell(request, .processed) }
        shots.withLock { $0.photos.append(photo) }
        recorder.tell(request, .written(photo.path))
        tell(photo)
      } catch {
        isWhole = false
        let failure = OvercrankError(
          error.code,
          "\(error.description) The take is kept, and the photo can be made from it: \(finished.files.take)",
          remedy: error.remedy, cause: error.cause, subject: error.subject)
        shots.withLock { $0.failure = $0.failure ?? failure }
        recorder.tell(request, .failed(failure.description))
      }
    }
    // The take is deleted only if all its photos were made.
    guard isWhole else { return }
    for file in [finished.files.master, finished.files.take] { try? file.removeFile() }
  }

  /// Returns the path of the next photo.
  private func nextPath() -> FilePath {
    guard count != 1 else { return path }
    return Self.path(after: shots.withLock { $0.photos.map(\.path) }, path, kind, replacing: isReplacing)
  }

  /// Returns the path of the photo after `others` whose names begin like that of `path`: that with the first free
  /// number, or, if files may be replaced, with the first that none of the others has.
  private static func path(
    after others: [FilePath], _ path: FilePath, _ kind: MotionPhoto.Kind, replacing isReplacing: Bool
  ) -> FilePath {
    let stem = stem(of: path)
    var number = 1
    while true {
      let path = path.beside("\(stem)-\(number)\(kind.suffix)")
      let isFree = isReplacing || !path.exists && kind.video(of: path)?.exists != true
      if isFree, !others.contains(path) { return path }
      number += 1
    }
  }
}
