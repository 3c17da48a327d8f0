import ArgumentParser
import Overcrank

extension RecordCommand {
  /// Returns the cameras of a group, of which `first` is the first.
  func groupCameras(_ first: CaptureDevice, _ profiles: ProfileLibrary) throws(Failure) -> [GroupCamera] {
    func settings(_ device: CaptureDevice) -> CaptureSettings {
      stream.settings(scheduling.scheduling(for: device, output))
    }
    var cameras = [
      GroupCamera(
        first, rate: mode.fps, criteria: mode.criteria, quality: mode.wishes.quality ?? [],
        capture: settings(first))
    ]
    for further in group.with {
      do throws(OvercrankError) {
        let device = try CaptureDevice(named: further.name, profiles: profiles)
        cameras.append(further.camera(device, mode, settings(device)))
      } catch {
        throw Failure("--with \(further.name): \(error.message)", exitCode: error.code.exitCode)
      }
    }
    return cameras
  }

  /// Prints where the frames of the cameras lie; nothing for a lone camera.
  func tellGroup(_ number: Int, _ finished: FinishedGroup) {
    guard let path = finished.groups[number], let group = try? TakeGroup.read(from: path) else { return }
    tell(group.summary(path))
  }
}

/// The recorder that the command runs: that of one camera, or of several.
struct RecorderInUse: Sendable {
  let cameras: [RecordingDisplay.Camera]
  let forecast: RingForecast?
  /// The remarks on the demand of the cameras.
  let remarks: [String]
  let start: @Sendable () async throws -> Void
  let stop: @Sendable () -> Bool
  /// Waits for the end of all sessions.
  let recorded: @Sendable () async -> FinishedGroup
  /// Waits for the clips, and shows their progress.
  let finish: @Sendable (RecordingDisplay) async -> FinishedGroup

  init(_ recorder: TakeRecorder) {
    cameras = [RecordingDisplay.Camera(name: nil, recorder: recorder)]
    (forecast, remarks) = (recorder.forecast, [recorder.spaceRemark].compactMap(\.self))
    start = { try recorder.start() }
    stop = { recorder.stop() }
    recorded = { FinishedGroup(await recorder.recorded()) }
    finish = { display in
      do throws(ClipFailure) {
        return FinishedGroup(try await recorder.finish { display.draw($0) })
      } catch {
        return FinishedGroup(error.recording, clipFailure: error.reason)
      }
    }
  }

  init(_ recorder: GroupRecorder) {
    cameras = recorder.members.map { RecordingDisplay.Camera(name: $0.name, recorder: $0.recorder) }
    (forecast, remarks) = (recorder.forecast, recorder.demand.remarks)
    start = { try await recorder.start() }
    stop = { recorder.stop() }
    recorded = { await recorder.recorded() }
    finish = { display in await recorder.finish { display.draw($1, of: $0) } }
  }
}

extension FinishedGroup {
  /// The takes, each with its number and the name of its camera, in order.
  func takes(
    of cameras: [RecordingDisplay.Camera]
  ) -> [(number: Int, camera: String?, take: FinishedTake)] {
    zip(cameras, recordings).flatMap { camera, recording in
      recording.takes.map { ($0.number, camera.name, $0) }
    }.sorted { ($0.0, $0.1 ?? "") < ($1.0, $1.1 ?? "") }
  }
}
