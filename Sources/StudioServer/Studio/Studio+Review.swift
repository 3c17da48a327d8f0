import Overcrank

/// The pictures of a studio: the live one, and those of a take in review.
extension Studio {
  func preview(after: UInt32?, width: Int, of letter: String? = nil) async throws -> StudioPicture? {
    let camera = try openCamera(letter)
    return try await camera.pictures.next(after: after, width: width)
  }

  private func reviewed() async throws -> (OpenCamera, ReviewedFrames) {
    try need([.reviewing, .saving], "No take is in review.")
    let camera = try openCamera()
    guard let frames = await camera.recorder.session.reviewedFrames() else {
      throw StudioError(.notNow, "No take is in review.")
    }
    return (camera, frames)
  }

  func reviewFrames() async throws -> StudioReviewFrames {
    let (_, frames) = try await reviewed()
    let zero =
      frames.triggerIndex.map { frames.timestamps[$0] } ?? frames.timestamps.first
      ?? Instant(nanoseconds: 0)
    return StudioReviewFrames(
      sequence: frames.sequences.map(Int64.init), time: frames.timestamps.map { ($0 - zero).wholeNanoseconds }
    )
  }

  func reviewFrame(_ index: Int, width: Int) async throws -> [UInt8] {
    try need([.reviewing, .saving], "No take is in review.")
    let camera = try openCamera()
    guard index >= 0, let frame = await camera.recorder.session.reviewedFrame(index) else {
      throw StudioError(.notFound, "The review has no frame \(index).")
    }
    return try await Self.blocking {
      if width >= frame.configuration.frameFormat.width, let still = try? Still(frame) { return still.bytes }
      return try frame.preview(fitting: Dimensions(width: UInt32(width), height: UInt32(4 * width))).jpeg(
        quality: 85)
    }
  }

  func save(
    first: Int, last: Int, speed: String?, label: String?, render: RenderSpec = RenderSpec()
  ) async throws {
    let (camera, frames) = try await reviewed()
    guard first <= last else {
      throw StudioError(
        .badRequest, "The part ends before it begins: its first frame is \(first), its last is \(last).")
    }
    guard first >= 0, last < frames.timestamps.count else {
      throw StudioError(.badRequest, "The review has only frames 0 to \(frames.timestamps.count - 1).")
    }
    if let label {
      do { try LibraryEntry.checkLabel(label) } catch { throw StudioError(.badRequest, "\(error)") }
    }
    if let speed, let curve = try? SpeedCurve(text: speed) {
      let interval = camera.recorder.mode.interval.rate?.framesPerSecond.doubleValue ?? 1
      let length = frames.timestamps[last] - frames.timestamps[first] + .seconds(1 / max(interval, 1e-3))
      try curve.check(until: length, of: "the marked part")
    }
    try await checkFolderTakesFiles()
    let part = StudioState.Review.Part(first: first, last: last)
    let times = TakePart(start: frames.timestamps[first], end: frames.timestamps[last] + .nanoseconds(1))
    // One step, so that takes begin in the order of the requests.
    guard model.isReviewing else { throw StudioError(.notNow, "No take is in review.") }
    guard !model.saveWishes.contains(where: { $0.part == part }) else {
      throw StudioError(.notNow, "This part is already being saved.")
    }
    model.saveWishes.append(
      StudioSave(part: part, speed: speed ?? model.settings.speed, label: label, render: render))
    camera.recorder.session.commands.send(.save(times))
  }
}
