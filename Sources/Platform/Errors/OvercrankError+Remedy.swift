public import SystemPackage

extension OvercrankError {
  /// A way to mend an error, for a program to say in its own words.
  public enum Remedy: Hashable, Sendable {
    // MARK: Files

    /// Allow the output to be replaced.
    case replace
    /// Make whole the recording at this path that was cut off, or allow it to be replaced.
    case recoverOrReplace(FilePath)
    /// Make whole what is left of the recording at this path.
    case recoverRest(FilePath)
    /// Make whole the recording at this path that was cut off.
    case recover(FilePath)
    /// Look for the frames in what is left of this recording, by the rate that it was captured at.
    case searchFrames(FilePath)
    /// List the takes of this folder, to choose one of them.
    case listTakes(in: FilePath)
    /// Allow the file to become larger.
    case allowLargerFile
    /// Save a setup of this name.
    case saveSetup(name: String)

    // MARK: Clips

    /// Leave the audio out.
    case dropAudio
    /// Let the audio's pitch fall and rise with the speed.
    case changePitch
    /// Decode the source and encode a clip of it, where its frames cannot be copied.
    case encode
    /// Copy the frames into a new file, where this one cannot be changed.
    case copy
    /// Choose another part of the source.
    case choosePart
    /// Say which field of an interlaced source was captured first.
    case chooseFieldOrder

    // MARK: Cameras and microphones

    /// See which cameras there are.
    case listCameras
    /// See which modes this camera has, and choose another.
    case chooseMode(camera: String)
    /// Choose another pixel format.
    case chooseFormat
    /// Choose another pixel format or a smaller picture.
    case chooseFormatOrSize
    /// Choose a compressed format, or a smaller picture.
    case chooseLighterMode
    /// Choose a smaller picture.
    case chooseSmallerMode
    /// Ask for a smaller ring, a shorter pre-roll or a smaller picture.
    case needLessMemory
    /// See which controls this camera has.
    case listControls(camera: String)
    /// Set a control of another name of this camera.
    case setControl(camera: String)
    /// Give the exposure as a time.
    case giveExposure
    /// Give the gain as a number, or leave it as it is.
    case giveGain
    /// Read a camera table as this program writes it.
    case giveTable
    /// Convert the source of this name, which is no camera.
    case convertFilm(String)
    /// See which profiles a simulated camera can behave by.
    case listProfiles
    /// See which microphones there are.
    case listMicrophones

    // MARK: Triggers and the studio

    /// Listen on any port that is free.
    case chooseAnyPort

    /// Listen under another name.
    case nameSocket
    /// Start a recording that listens, under this name where one was given.
    case listen(name: String?)
    /// Read triggers from a pipe.
    case readPipe
    /// Use a trigger that needs no input.
    case useOtherTrigger
    /// See the motion that the camera sees.
    case watchMotion
  }
}
