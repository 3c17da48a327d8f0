import Overcrank

extension OvercrankError {
  /// The library's message, which is one line, followed by the command or option that helps.
  var message: String {
    let description = description.printable
    // The command line names its option instead of the library's general words.
    let general = "allow it to be replaced."
    if remedy == .replace, description.hasSuffix(general) {
      return "\(description.dropLast(general.count))replace it with --force."
    }
    return [description, remedy?.hint].compactMap(\.self).joined(separator: " ")
  }
}

extension OvercrankError.Remedy {
  /// The command or option for this remedy, as a sentence.
  fileprivate var hint: String {
    switch self {
    case .replace: "--force replaces it."
    case .recoverOrReplace(let path):
      "\"overcrank recover \(path.string.shellWord)\" completes it; --force replaces it."
    case .recoverRest(let path): "\"overcrank recover \(path.string.shellWord)\" recovers what is left."
    case .recover(let path): "\"overcrank recover \(path.string.shellWord)\" does that."
    case .searchFrames(let path):
      "\"overcrank recover \(path.string.shellWord) --fps RATE\" finds the JPEGs, where RATE is that rate."
    case .listTakes(let folder): "\"overcrank takes list \(folder.string.shellWord)\" lists them."
    case .allowLargerFile: "--max-size sets it; --max-width and --quality choose a smaller mode."
    case .saveSetup(let name):
      "\"overcrank setups list\" lists yours; \"overcrank setups save \(name.shellWord) sim: --fps 240\" saves one."

    case .dropAudio: "--audio drop does that."
    case .changePitch: "--audio pitch does that."
    case .encode: "Without --copy, the clip is encoded."
    case .copy: "Without --in-place, --copy makes a new file."
    case .shrink: "--in and --out choose a shorter part."
    case .allowSize: "--under sets the size; --in and --out choose a part."
    case .giveCaptureRate: "--capture-rate RATE does without its times."
    case .choosePart: "--in and --out choose a part."
    case .chooseFieldOrder: "--deinterlace top or --deinterlace bottom sets it."

    case .listCameras: "\"overcrank devices\" lists the cameras."
    case .chooseMode(let camera):
      "--format and --max-width choose a mode; \"overcrank formats \(camera.shellWord)\" lists all."
    case .chooseFormat: "--format chooses it."
    case .chooseFormatOrSize: "--format or --max-width chooses another mode."
    case .chooseLighterMode: "--format mjpeg chooses a compressed mode, --max-width a smaller one."
    case .chooseSmallerMode: "--max-width chooses a smaller mode."
    case .needLessMemory:
      "--ring sets the ring's size, --pre the pre-roll; --max-width chooses a smaller mode."
    case .listControls(let camera): "\"overcrank controls \(camera.shellWord)\" lists them."
    case .setControl(let camera):
      "\"overcrank controls \(camera.shellWord)\" lists them; --set sets them."
    case .giveExposure: "Give a time, as in --exposure 2ms."
    case .giveGain: "Give a number, as in --gain 40; leave out --gain to keep it."
    case .giveTable: "\"overcrank formats --json\" prints such JSON."
    case .convertVideo(let name): "\"overcrank retime \(name.shellWord)\" slows down a video."
    case .listProfiles:
      "\"overcrank profiles list\" lists the profiles; \"overcrank formats --json\" prints a table."
    case .listMicrophones:
      "\"overcrank devices --microphones\" lists all microphones; --mic NAME,none records without audio if NAME is missing."

    case .chooseAnyPort: "--port 0 takes any free one."
    case .nameSocket: "--trigger socket=NAME names it."
    case .listen(let name):
      "\"overcrank record --trigger socket\(name.map { "=\($0)" } ?? "")\" starts one."
    case .recordMicrophone:
      "--mic default records the usual one; \"overcrank devices --microphones\" lists all."
    case .readPipe: "--trigger stdin reads a pipe."
    case .useOtherTrigger: "--trigger signal and --trigger socket need no input."
    case .watchMotion: "\"overcrank motion\" shows what is watched."
    }
  }
}

extension CaptureError {
  /// The library's message, followed by the command or option that helps.
  var message: String { OvercrankError(self).message }
}

extension DiagnosticAction {
  /// Returns the command or option that fixes the finding; `camera` is the examined one, as it was named.
  private func hint(_ camera: String?) -> String {
    let words = camera.map { " \($0.shellWord)" } ?? ""
    return switch self {
    case .listCameras: "\"overcrank devices\" lists all cameras."
    case .listModes(let camera): "\"overcrank formats \(camera.shellWord)\" lists them."
    case .measureModes: "\"overcrank bench\(words) --all\" measures them."
    case .chooseSmallerMode: "--max-width chooses a smaller mode."
    case .chooseLighterMode: "--format mjpeg chooses a compressed mode, --max-width a smaller one."
    case .setControl(let name, let value, let camera):
      "\"overcrank controls\(camera.map { " \($0.shellWord)" } ?? words) --set \(name)=\(value)\" does that."
    case .chooseFolder: "-o FOLDER checks another one, and -o FOLDER/clip.mp4 records to it."
    }
  }

  /// Returns a function that combines a remedy in the library's words with the command or option for it;
  /// `camera` is as it was named.
  static func words(of camera: String?) -> (String, DiagnosticAction?) -> String {
    { remedy, action in [remedy, action?.hint(camera)].compactMap(\.self).joined(separator: " ") }
  }
}

extension ControlPlan {
  /// The remarks, and the option that prevents the change.
  var words: [String] {
    remarks + (shortensExposure ? ["--exposure keep leaves the exposure as it is."] : [])
  }
}

extension ModeSheet.Note {
  /// The note, and the option that shows what is omitted.
  var words: String {
    switch action {
    case .showAll: "\(self) --verbose shows all."
    case .exportTable: "\(self) So does --csv."
    case nil: description
    }
  }
}
