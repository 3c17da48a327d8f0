public import SystemPackage

extension OvercrankError {
  /// A way to fix an error, for a program to express in its own words.
  public enum Remedy: Hashable, Sendable {
    // MARK: Files

    /// Allow the output to be replaced.
    case replace
    /// Recover the cut-off recording at this path, or allow it to be replaced.
    case recoverOrReplace(FilePath)
    /// Recover what is left of the recording at this path.
    case recoverRest(FilePath)
    /// Recover the cut-off recording at this path.
    case recover(FilePath)
    /// Search for frames in what is left of this recording, given its capture rate.
    case searchFrames(FilePath)
    /// List the takes in this folder to choose from.
    case listTakes(in: FilePath)
    /// Allow a larger file.
    case allowLargerFile
    /// Save a setup with this name.
    case saveSetup(name: String)

    // MARK: Clips

    /// Leave the audio out.
    case dropAudio
    /// Let the audio's pitch follow the speed.
    case changePitch
    /// Decode the source and encode a clip, because its frames cannot be copied.
    case encode
    /// Copy the frames into a new file, because this one cannot be changed.
    case copy
    /// Make the clip smaller: it would have this many bytes, which is more than requested. `frames` of them are its
    /// encoded frames; the others are audio, and what the container adds.
    case shrink(from: Int64, frames: Int64)
    /// Allow the clip this many bytes, or choose a shorter part of the source.
    case allowSize(Int64)
    /// State the rate at which the source was captured, to do without its take.
    case giveCaptureRate
    /// Choose another part of the source.
    case choosePart
    /// Specify which field of an interlaced source was captured first.
    case chooseFieldOrder

    // MARK: Cameras and microphones

    /// List the cameras.
    case listCameras
    /// List this camera's modes and choose another.
    case chooseMode(camera: String)
    /// Choose another pixel format.
    case chooseFormat
    /// Choose another pixel format or a smaller picture.
    case chooseFormatOrSize
    /// Choose a compressed format, or a smaller picture.
    case chooseLighterMode
    /// Choose a smaller picture.
    case chooseSmallerMode
    /// Request a smaller ring, a shorter pre-roll or a smaller picture.
    case needLessMemory
    /// List this camera's controls.
    case listControls(camera: String)
    /// Set another control of this camera.
    case setControl(camera: String)
    /// Give the exposure as a time.
    case giveExposure
    /// Give the gain as a number, or leave it as it is.
    case giveGain
    /// Provide a camera table in the form that this program writes.
    case giveTable
    /// Convert the source of this name, which is not a camera.
    case convertVideo(String)
    /// List the profiles that a simulated camera can follow.
    case listProfiles
    /// List the microphones.
    case listMicrophones

    // MARK: Triggers and the studio

    /// Listen on any free port.
    case chooseAnyPort

    /// Listen under another name.
    case nameSocket
    /// Start a recording that listens, under this name if one is given.
    case listen(name: String?)
    /// Record a microphone.
    case recordMicrophone
    /// Read triggers from a pipe.
    case readPipe
    /// Use a trigger that needs no input.
    case useOtherTrigger
    /// Watch the motion that the camera sees.
    case watchMotion
  }
}
