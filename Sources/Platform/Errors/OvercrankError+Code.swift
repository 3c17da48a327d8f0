extension OvercrankError {
  /// A kind of failure.
  public struct Code: Hashable, Sendable {
    /// The exit code of a program that ends with this error: one of `sysexits.h`, or, if it was stopped, 130
    /// as in shells.
    public let exitCode: Int32
    private let name: String

    private init(_ exitCode: Int32, name: String = #function) {
      self.exitCode = exitCode
      self.name = name
    }
  }
}

extension OvercrankError.Code {
  // MARK: Requests

  /// The text cannot name a camera, a microphone or an address.
  public static var badName: Self { Self(64) }
  /// A control, a trigger or a setting does not take this value.
  public static var badValue: Self { Self(64) }
  /// The request lies outside the source: a time after its end, a part beyond its picture.
  public static var outOfRange: Self { Self(64) }
  /// Single keys were to be read, but standard input is not a terminal.
  public static var noTerminal: Self { Self(64) }
  /// Standard input belongs to another program, because this one runs in the background.
  public static var noStandardInput: Self { Self(64) }

  // MARK: Files

  /// The file's content is not as expected: damaged, cut off, or of another kind.
  public static var badData: Self { Self(65) }
  /// There is no such file to read, or it is not a regular file.
  public static var noInput: Self { Self(66) }
  /// The output already exists or cannot be created there.
  public static var cannotCreate: Self { Self(73) }
  /// Reading or writing failed, as on a full disk; or the system provides no more memory, files or threads.
  public static var inputOutput: Self { Self(74) }
  /// The program that read from the output pipe has ended.
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
  /// There is no such input device, GPIO chip or line, or it does not have what was asked for.
  public static var noDevice: Self { Self(69) }
  /// The address to listen on is invalid, or does not belong to this machine.
  public static var noAddress: Self { Self(69) }
  /// No recording is listening for triggers.
  public static var noListener: Self { Self(69) }
  /// The device was disconnected while it was in use.
  public static var disconnected: Self { Self(74) }
  /// The camera sent no usable frame.
  public static var noFrames: Self { Self(74) }
  /// Frames came, but each depends on a key frame, and none came.
  public static var noKeyframe: Self { Self(74) }
  /// The scene does not come to rest, as a motion trigger requires.
  public static var restless: Self { Self(74) }
  /// The device, its driver or the system failed.
  public static var failed: Self { Self(74) }

  // MARK: General

  /// The device cannot do this, or the installed libraries lack the codec, container or conversion.
  public static var unsupported: Self { Self(69) }
  /// Another program is using the device or file.
  public static var busy: Self { Self(75) }
  /// This user may not open the device or file.
  public static var noPermission: Self { Self(77) }
  /// The operation was stopped on request.
  public static var cancelled: Self { Self(130) }
}
