import Capture
import Foundation
import Takes

/// A recording that outlives its camera's disconnection: what is left of it, and where it goes on.
struct Reconnection {
  /// The camera, under the name that it has now.
  private(set) var camera: CaptureDevice
  /// What is left to film.
  private(set) var limit: RecordingLimit
  /// The files of the take that comes next.
  private(set) var files: TakeFiles
  private let mark: CameraMark
  private let names: TakeNames
  private var number = 1

  /// How often the camera is looked for, in microseconds.
  private static let glance: UInt32 = 250_000

  init(to camera: CaptureDevice, names: TakeNames, limit: RecordingLimit) {
    self.camera = camera
    self.limit = limit
    self.names = names
    mark = CameraMark(of: camera)
    files = names.files()
  }

  /// Takes a take that was put down into account.
  mutating func advance(past take: Take) {
    if let frames = limit.frames { limit.frames = max(0, frames - Int(take.frames.written)) }
    if let left = limit.nanoseconds, let first = take.timestamps.first, let last = take.timestamps.last {
      let interval = take.acceptedInterval?.rate?.interval.scaling(1_000_000_000) ?? 0
      limit.nanoseconds = max(0, left - (last - first + interval))
    }
    repeat {
      number += 1
      files = names.numbered(number)
      // The names of later takes were not promised to anyone: one that is taken is passed over.
    } while [files.clip, files.master, files.take].contains { FileManager.default.fileExists(atPath: $0) }
  }

  /// Whether the camera may come back, and something is left to film then.
  func isWorthWaiting(after failure: CaptureError?) -> Bool {
    guard case .camera(let error)? = failure, limit.frames != 0, limit.nanoseconds != 0 else { return false }
    // A camera that was found again may not be ready yet. One that was never there has no first take.
    return error.code == .disconnected
      || (number > 1 && [.noCamera, .busy, .noPermission].contains(error.code))
  }

  /// Waits for the camera; `false` where it was stopped first.
  mutating func wait(until stop: StopFlag, tell: (String) -> Void) -> Bool {
    tell("\(camera.name) is gone. Plug it in again, and filming goes on; Ctrl-C ends it.")
    while !stop.isSet {
      // Also a pause after a camera that came back and failed at once.
      usleep(Self.glance)
      guard let found = mark.find() else { continue }
      camera = found
      tell("\(camera.name) is back. Filming goes on in \(TakeFiles.name(of: files.clip)).")
      return true
    }
    return false
  }
}
