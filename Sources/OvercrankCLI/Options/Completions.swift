import ArgumentParser
import Overcrank

extension CompletionKind {
  /// This machine's cameras, and the simulated ones.
  static var camera: CompletionKind {
    .words { _, _ in
      VideoNode.all().map(\.path.string) + CameraOrientation.allCases.map(\.rawValue)
        + [CameraName.simulatedPrefix] + simulatedCameras
    }
  }

  /// The system's default microphone, this machine's, and the simulated one.
  static var microphone: CompletionKind {
    .words { _, _ in
      ["default"] + MicrophoneNode.all().map(\.name) + [MicrophoneName.simulatedPrefix, "none"]
    }
  }

  /// Simulated cameras.
  static var simulatedCamera: CompletionKind {
    .words { _, _ in [CameraName.simulatedPrefix] + simulatedCameras }
  }

  /// The ids of profiles.
  static var profile: CompletionKind {
    .words { _, _ in ProfileLibrary().entries.map(\.profile.id) }
  }

  /// The user's setups.
  static var setup: CompletionKind { .words { _, _ in Setup.names } }

  /// Kinds of pixel formats, and the codes that are common among cameras.
  static var pixelFormat: CompletionKind {
    let common: [PixelFormat] = [
      .mjpeg, .yuyv, .uyvy, .nv12, .yuv420, .rgb24, .bgr24, .grey,
    ]
    return .list(["mjpeg", "raw"] + common.map(\.description))
  }

  /// Takes: `latest`, the names and labels of those in the given folder, and files.
  static var take: CompletionKind {
    .words { words, prefix in
      let folder = words.indices.last { words[$0] == "--folder" }.flatMap { place in
        place + 1 < words.count ? FilePath(words[place + 1]) : nil
      }
      let entries = (try? TakeLibrary(folder).entriesWaiting()) ?? []
      let labels = entries.compactMap(\.label)
      return ["latest"] + entries.map(\.name) + labels + files(of: prefix)
    }
  }

  /// Returns a completion that offers the results of `find` for the words of a command line and the beginning
  /// of one. Results that would need quoting are left out: bash runs commands inside the words that it is
  /// offered, and a label or a file name may contain anything.
  private static func words(_ find: @escaping @Sendable ([String], String) -> [String]) -> CompletionKind {
    .custom { words, _, prefix in find(words, prefix).filter(\.isPlainWord) }
  }

  /// Returns the videos, takes, photos and folders whose names begin with `prefix`.
  private static func files(of prefix: String) -> [String] {
    let path = FilePath(prefix)
    let isFolder = prefix.isEmpty || prefix.hasSuffix("/")
    let folder = isFolder ? path : path.removingLastComponent()
    let names = (try? (folder.isEmpty ? "." : folder).entryNames()) ?? []
    return names.sorted().compactMap { name in
      let file = folder.appending(name)
      guard file.string.hasPrefix(prefix), prefix.hasPrefix(".") || !name.hasPrefix(".") else { return nil }
      if (try? Stat(file))?.type == .directory { return "\(file)/" }
      return ["json", "mp4", "mov", "mkv", "nut", "jpg", "png", "tif"].contains(file.extension)
        ? file.string : nil
    }
  }

  /// The kinds of triggers.
  static var trigger: CompletionKind {
    // This yields words such as `socket`, `socket=` and `time=`.
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
