import ArgumentParser
import CameraModel
import Cameras
import Capture
import Microphones
import Overcrank

extension CompletionKind {
  /// Cameras: those of this machine, and the simulated ones.
  static var camera: CompletionKind {
    .custom { _, _, _ in
      VideoNode.all().map(\.path.string) + CameraOrientation.allCases.map(\.rawValue)
        + [CameraName.simulatedPrefix] + simulatedCameras
    }
  }

  /// Microphones: the system's choice, those of this machine, and the simulated one.
  static var microphone: CompletionKind {
    .custom { _, _, _ in
      ["default"] + MicrophoneNode.all().map(\.name) + [MicrophoneName.simulatedPrefix, "none"]
    }
  }

  /// Simulated cameras.
  static var simulatedCamera: CompletionKind {
    .custom { _, _, _ in [CameraName.simulatedPrefix] + simulatedCameras }
  }

  /// The nodes of this machine.
  static var node: CompletionKind { .file() }

  /// The ids of profiles.
  static var profile: CompletionKind {
    .custom { _, _, _ in ProfileLibrary().entries.map(\.profile.id) }
  }

  /// The user's setups.
  static var setup: CompletionKind { .custom { _, _, _ in Setup.names } }

  /// Kinds of pixel formats, and the codes that cameras commonly have.
  static var pixelFormat: CompletionKind {
    let common: [PixelFormat] = [
      .mjpeg, .yuyv, .uyvy, .nv12, .yuv420, .rgb24, .bgr24, .grey,
    ]
    return .list(["mjpeg", "raw"] + common.map(\.description))
  }

  /// What can begin a take.
  static var trigger: CompletionKind {
    // `socket`, `socket=`, `time=`.
    .list(
      TriggerSources.all.flatMap { source in
        source.usage.prefix { $0 != ":" }.split(separator: ", ").map { word in
          word.firstIndex(of: "=").map { String(word[...$0]) } ?? String(word)
        }
      })
  }

  private static var simulatedCameras: [String] {
    ProfileLibrary().entries.map { CameraName.simulatedPrefix + $0.profile.id }
  }
}
