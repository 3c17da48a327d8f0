extension OvercrankError {
  /// A kind of failure.
  public struct Code: Hashable, Sendable {
    /// The exit code of a program that ends for it, one of `sysexits.h`; 130, as shells have it, where it was stopped.
    public let exitCode: Int32
    private let name: String

    private init(_ exitCode: Int32, name: String = #function) {
      self.exitCode = exitCode
      self.name = name
    }
  }
}

extension OvercrankError.Code {
  // MARK: What was asked

  /// The text cannot name a camera, a microphone or a place.
  public static var badName: Self { Self(64) }
  /// A control, a trigger or a setting does not take this value.
  public static var badValue: Self { Self(64) }
  /// The request lies outside the source: a time after its end, a part beyond its picture.
  public static var outOfRange: Self { Self(64) }
  /// Single keys are to be read, and standard input is no terminal.
  public static var noTerminal: Self { Self(64) }
  /// Standard input belongs to another program, as this one runs in the background.
  public static var noStandardInput: Self { Self(64) }

  // MARK: Files

  /// The file is not what it should be: damaged, cut off, or of another kind.
  public static var badData: Self { Self(65) }
  /// There is no such file to read, or it is no file.
  public static var noInput: Self { Self(66) }
  /// The output exists already or cannot be made where it should be.
  public static var cannotCreate: Self { Self(73) }
  /// Reading or writing failed half way, as on a full disk; or the system gives no more memory, files or threads.
  public static var inputOutput: Self { Self(74) }
  /// The program that read the pipe that is written to has ended.
  public static var readerLeft: Self { Self(74) }

  // MARK: Devices and triggers

  /// There is no such camera, or it cannot capture.
  public static var noCamera: Self { Self(69) }
  /// The camera has no such mode.
  public static var noMode: Self { Self(69) }
  /// The camera has no such control, or it cannot be set at present.
  public static var noControl: Self { Self(69) }
  /// There is no such microphone.
  public static var noMicrophone: Self { Self(69) }
  /// The address to listen on is none, or none of this machine's.
  public static var noAddress: Self { Self(69) }
  /// No recording listens for triggers.
  public static var noListener: Self { Self(69) }
  /// The device went away while it was in use.
  public static var disconnected: Self { Self(74) }
  /// The camera sent no frame that could be used.
  public static var noFrames: Self { Self(74) }
  /// The scene does not come to rest, which motion triggers wait for.
  public static var restless: Self { Self(74) }
  /// The device, its driver or the system failed.
  public static var failed: Self { Self(74) }

  // MARK: All of these

  /// The device does not do what was asked, or the installed libraries have no such codec, container or conversion.
  public static var unsupported: Self { Self(69) }
  /// Another program is using it.
  public static var busy: Self { Self(75) }
  /// This user may not open it.
  public static var noPermission: Self { Self(77) }
  /// It was told to stop.
  public static var cancelled: Self { Self(130) }
}
