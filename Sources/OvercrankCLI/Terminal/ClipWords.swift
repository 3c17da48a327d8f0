import Overcrank

extension ClipReport.Interpolation {
  /// The interpolated frames, and the places where interpolation failed.
  fileprivate var words: String {
    guard frames > 0 else {
      return
        "none is interpolated, because no captured frame matches the next: the scene or its light changes too much"
    }
    var words = frames == 1 ? "1 is interpolated" : "\(frames) are interpolated"
    if framesInGaps > 0 {
      words += (framesInGaps < frames ? ", \(framesInGaps) of them" : "") + " where none was captured"
    }
    let percent = heldPart * 100
    if percent > 0 {
      words +=
        ", and \(percent < 0.1 ? "less than 0.1" : Fraction(Int64(percent * 10), 10).decimal(places: 1)) % of their area stays as captured"
    }
    return words
  }
}

extension RawDevelopment {
  /// Returns the parameters of the development, in words.
  fileprivate func words(_ source: DevelopmentSource?) -> String {
    func decimal(_ value: Double, _ places: Int) -> String {
      Fraction(Int64(clamping: (value * 10_000).rounded()), 10_000).decimal(places: places)
    }
    let balance = gains.map { decimal($0, 2) }.joined(separator: ",")
    return "raw developed with black at \(decimal(black * 100, 2)) % of the range"
      + (gains == [1, 1, 1] ? "" : ", white balance \(balance)")
      + (matrix == nil ? "" : ", the sensor's colour matrix")
      + (source?.profile.map { " (profile \($0))" } ?? "")
  }
}

extension ColorDescription.Transfer {
  /// The name of a high dynamic range; `nil` for the standard range.
  var nameOfHDR: String? {
    switch self {
    case .pq: "PQ"
    case .hlg: "HLG"
    default: nil
    }
  }
}

extension SourceGap {
  /// A long time without frames, for people.
  var words: String {
    "no frame for \(length.decimal(places: 3)) s after \(start.decimal(places: 3)) s, because it was paused or the time "
      + "of a frame is wrong"
  }
}

extension ClipReport {
  /// Returns a line for people.
  ///
  /// - Parameter hasPlaceForAudio: whether the clip could have audio.
  func summary(_ path: FilePath, hasPlaceForAudio: Bool = true) -> String {
    var words =
      "\(path): \(outputFrames) \(outputFrames == 1 ? "frame" : "frames") at "
      + "\(framesPerSecond.rateWords) fps\(size.map { " and \($0.width)x\($0.height)" } ?? "")\(hasVaryingRate ? " on average" : ""), \(duration.decimal(places: 2)) s"
    if let pace = speed.pace { words += ", \(pace)" }
    if let order { words += ", \(order.words)" }
    if let size = path.sizeWords { words += ", \(size)" }
    if let layout { words += "; \(layout.words)" }
    if let reduction { words += "; \(reduction.words)" }
    if held > 0 { words += "; \(heldWords)" }
    if skipped > 0 { words += "; \(skippedWords(in: path))" }
    if interpolation.frames > 0 || interpolation.breaks > 0 { words += "; \(interpolation.words)" }
    if damaged > 0 { words += "; \(damaged) of the source's frames \(damaged == 1 ? "is" : "are") damaged" }
    if restartCount > 0 {
      words +=
        "; the source's times restart \(restartCount == 1 ? "once" : "\(restartCount) times"), and each part follows the "
        + "one before it"
    }
    if sizeCount > 1 {
      words +=
        "; the source's frames have \(sizeCount) different sizes, all of which are scaled to that of the clip"
    }
    if hasContradictoryTimes {
      words +=
        "; the source's times for its frames contradict one another, so the frames are shown in the order in which they decode"
    }
    if let rotation = obliqueRotation {
      let degrees = Int(clamping: rotation.rounded())
      words +=
        "; the source's rotation by \(degrees) degrees is not a multiple of 90, so the nearest one is used"
    }
    if isDeinterlaced { words += "; each field of the source is a frame" }
    if let development { words += "; \(development.words(developmentSource))" }
    if let flicker { words += "; \(flicker.words)" }
    if !hiddenLamps.isEmpty {
      let lamps = hiddenLamps.map { "\($0) Hz" }.joined(separator: " and ")
      words +=
        " (that of \(lamps) cannot be told from the scene's own light at this rate, or in so few frames)"
    }
    switch audio {
    case .drop where isCopy: words += "; the audio is left out, because --copy never keeps it"
    case .drop where !hasPlaceForAudio: words += "; the audio is left out, because Y4M cannot hold it"
    case .drop where path.isAnimation:
      words += "; the audio is left out, because animations have none"
    case .drop:
      let way = order.map { "plays it \($0.words)" } ?? "keeps it"
      words += "; the audio is left out (--audio stretch or --audio pitch \(way))"
    case .stretch where speed == Fraction(1), .pitch where speed == Fraction(1):
      words += order.map { "; the audio plays \($0.words)" } ?? "; the audio is kept"
    case .stretch: words += "; the audio is stretched"
    case .pitch: words += "; the audio's pitch follows the speed"
    case nil: break
    }
    if let early = madeWhileRecording {
      words += "; \(early == 0 ? "none" : "\(early)") of its frames were made during the recording"
      if developmentSource?.samplesFrames == true { words += ", because raw development needs all of them" }
    }
    if hasUnknownAudio { words += "; the audio is left out, because this libavcodec cannot decode it" }
    if losesOrientation {
      words +=
        "; it is not turned, because only .mp4 and .mov can store a rotation (without --copy, its pixels are turned)"
    }
    if let range = toneMappedTransfer?.nameOfHDR {
      let kind = path.isAnimation ? " in an .mp4" : ""
      words +=
        "; its high dynamic range (\(range)) is mapped to the standard range (--tone keep with --codec hevc\(kind) keeps it)"
    }
    if hasCoarseHDR { words += "; its high dynamic range has 8 bits, which may show banding" }
    return words + "."
  }

  /// The reason that frames of the clip repeat the previous one.
  private var heldWords: String {
    if layout != nil {
      return "\(held) of the cameras' pictures \(held == 1 ? "repeats its" : "repeat their") previous one"
    }
    let count = held == 1 ? "1 repeats the previous frame" : "\(held) repeat the previous frame"
    // Frames were there to interpolate between, but they did not match.
    if interpolation.frames == 0, interpolation.breaks > 0 { return count }
    guard let captured = capturedFramesPerSecond else { return count }
    // Losses are few. A camera that is too slow for the clip misses more than one frame in a hundred.
    guard captured * Fraction(101, 100) < framesPerSecond else {
      return "\(count), where none was captured"
    }
    let isRare = captured < Fraction(1) && captured > Fraction(0)
    return "\(count): at this speed there "
      + (isRare
        ? "is a captured frame every \(captured.reciprocal.decimal(places: 2)) seconds"
        : "are \(captured.decimal(places: 2)) captured frames per second")
      + (isCopy || interpolation.frames > 0 ? "" : " (--fill flow interpolates between them)")
  }

  /// Returns the number of skipped frames, and what would show all in a clip at `path`.
  private func skippedWords(in path: FilePath) -> String {
    let count =
      skipped == 1 ? "1 captured frame is left out" : "\(skipped) captured frames are left out"
    guard !isCopy, let captured = capturedFramesPerSecond, let rate = FrameRate(captured),
      captured > framesPerSecond * Fraction(101, 100)
    else { return count }
    let isPossible = path.onlyCodec?.highestRate.map { rate.framesPerSecond <= $0 } ?? true
    return count
      + (isPossible ? " (--clip-fps \(rate) shows all, as does a slower clip)" : " (a slower clip shows all)")
  }

  /// A remark if the requested part ends after the source; `nil` if there is nothing to report.
  var endRemark: String? {
    guard let videoEnd else { return nil }
    return
      "ends after \(videoEnd.decimal(places: 3)) s of capture time, so the clip ends there, before --out."
  }

  /// A remark on a long time without frames; `nil` if there is none.
  var gapRemark: String? {
    gap.map { "has \($0.words). --in and --out choose a part without that." }
  }

  /// A remark if the curve goes on after the source; `nil` if there is nothing to report.
  var curveRemark: String? {
    unreachedPoint.map {
      "\"\($0)\" of --speed is after the end of the source, so the clip does not reach it."
    }
  }

  /// Returns a remark on where a copy of `span` was cut; `nil` if there is nothing to report.
  func cutRemark(_ span: ClipSpan) -> String? {
    guard let cut else { return nil }
    let asked = span.start.inSeconds
    var words: [String] = []
    if (cut.start - asked).magnitude > Fraction(1, 1000) {
      words.append("begins at \(cut.start.decimal(places: 3)) s rather than \(asked.decimal(places: 3)) s")
    }
    if let end = span.end?.inSeconds, cut.end > end + Fraction(1, 1000) {
      words.append("ends at \(cut.end.decimal(places: 3)) s rather than \(end.decimal(places: 3)) s")
    }
    guard !words.isEmpty else { return nil }
    return
      "The copy \(words.joined(separator: " and ")): it can be cut only at a keyframe. Without --copy, the cut is exact."
  }
}

extension FilePath {
  /// Whether its extension is that of an animation, such as a GIF.
  fileprivate var isAnimation: Bool {
    self.extension.flatMap(Container.init(fileExtension:))?.isAnimation == true
  }

  /// The only codec that a file with its extension can hold; `nil` if there are several.
  fileprivate var onlyCodec: VideoEncoder.Kind? { Container(ofClip: self).onlyCodec }
}

extension Fraction {
  /// The number as a rate, for people: never 0 if it is above 0.
  var rateWords: String { FrameRate(self)?.description ?? "0" }

  /// The pace of a clip with this speed relative to its source, `8 times slower` or `1.5 times faster`; `nil`
  /// if they differ by less than a hundredth.
  var pace: String? {
    let (ratio, comparative) = self < Fraction(1) ? (reciprocal, "slower") : (self, "faster")
    let times = ratio.decimal(places: 2)
    return times == "1" ? nil : "\(times) times \(comparative)"
  }
}

extension ClipReport.Flicker {
  /// The result of deflickering, for people.
  var words: String {
    switch self {
    case .none: "no flicker of mains light was found, so the light is unchanged"
    case .evened(let hertz, let before, let after):
      "flicker of \(hertz) Hz reduced from \(Self.percent(before)) % of the light"
        + (after.map { " to \(Self.percent($0)) %" } ?? "")
    }
  }

  /// Returns `depth` in percent, rounded to a hundredth.
  private static func rounded(_ depth: Double) -> Double { (depth * 10_000).rounded() / 100 }

  private static func percent(_ depth: Double) -> String { "\(rounded(depth))" }
}

extension CapturePace {
  /// The speed as text, such as `1/8`.
  var speedWords: String { Speed(speed)?.description ?? "\(speed)" }
}

extension CapturePace.Source {
  /// Returns the origin of the capture rate, for people.
  func words(of pace: CapturePace) -> String {
    let rate = pace.captureRate.map { " of \($0.rateWords) fps" } ?? ""
    return switch self {
    case .asked: "--capture-rate\(rate)"
    case .take: "its take"
    case .overcrank: "the tag that Overcrank wrote into it"
    case .android: "its com.android.capture.fps\(rate)"
    case .samsung: "its smta\(rate)"
    case .apple: "its sidecar (AAE)"
    case .timestamps: "its timestamps\(rate)"
    case .unknown: "nothing: it is treated as real-time video"
    }
  }
}

extension ClipReport.Layout {
  /// A clause for people.
  fileprivate var words: String {
    let shown =
      cameras == 1
      ? "the group has one camera"
      : "\(cameras) cameras in the \(commonTime.decimal(places: 3)) s of capture time in which all have frames"
    guard let larger = largerSize else { return shown }
    return shown + "; scaled down from \(larger.width)x\(larger.height) (--scale chooses another size)"
  }
}

extension SizeReduction {
  /// A clause for people.
  fileprivate var words: String {
    let parts = [
      size.map { "\($0.width)x\($0.height)" }, rate.map { "\($0.text) fps" },
      quality.map { "quality \($0)\(isCapped ? " at best" : "")" },
    ]
    return "reduced to \(parts.compactMap(\.self).joined(separator: ", ")) to stay under the size of --under"
  }
}
