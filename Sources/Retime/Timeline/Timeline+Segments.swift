extension Timeline {
  /// Splits the clip into parts of about equal length for parallel encoders, and returns their captured
  /// frames. Returns just one part if more would add keyframes.
  ///
  /// - Parameters:
  ///   - frames: the captured frames to split; `nil` for all. The first must appear in the clip or be the
  ///     source's first.
  ///   - encoderCount: the number of encoders; the number of parts is a multiple of it.
  ///   - keyframeInterval: the most frames of the clip between keyframes.
  package func segments(
    of frames: Range<Int>? = nil, encoderCount: Int, keyframeInterval: Int
  ) -> [Range<Int>] {
    let whole = frames ?? 0..<capturedFrameCount
    let (start, end) = (firstOutputFrame(of: whole.lowerBound), firstOutputFrame(of: whole.upperBound))
    let length = end - start
    guard encoderCount > 1, length > keyframeInterval else { return [whole] }
    let most = encoderCount * keyframeInterval
    return parts(of: whole, count: (length + most - 1) / most * encoderCount)
  }

  /// Splits `frames` into parts that fill about `length` frames of the clip each.
  ///
  /// - Parameter frames: captured frames, as in ``segments(of:encoderCount:keyframeInterval:)``.
  func blocks(of frames: Range<Int>, length: Int) -> [Range<Int>] {
    let filled = firstOutputFrame(of: frames.upperBound) - firstOutputFrame(of: frames.lowerBound)
    return parts(of: frames, count: max(1, (filled + length - 1) / length))
  }

  private func parts(of frames: Range<Int>, count: Int) -> [Range<Int>] {
    let start = firstOutputFrame(of: frames.lowerBound)
    let length = firstOutputFrame(of: frames.upperBound) - start
    guard count > 1, length > 0 else { return [frames] }
    var starts: [Int] = []
    // A part begins with a frame that appears, which may be held for longer than a part.
    for part in 0..<count where starts.last != self[start + length * part / count] {
      starts.append(self[start + length * part / count])
    }
    starts[0] = frames.lowerBound
    return zip(starts, starts.dropFirst() + [frames.upperBound]).map { $0..<$1 }
  }

  /// Returns the captured frames from `first` on that fill at least `length` frames of the clip; `nil` if the
  /// source is too short, or if its end is so near that they may still move.
  ///
  /// - Parameter first: a frame that appears, or the source's first.
  func segment(from first: Int, length: Int) -> Range<Int>? {
    guard first < capturedFrameCount else { return nil }
    let end = firstOutputFrame(of: first) + length
    guard end < outputFrameCount else { return nil }
    var next = self[end]
    if firstOutputFrame(of: next) < end {
      let following = outputFrames(showing: next).upperBound
      guard following < outputFrameCount else { return nil }
      next = self[following]
    }
    return next > first && next + 2 < capturedFrameCount ? first..<next : nil
  }

  /// Returns the output frame at which a segment from captured frame `index` on begins.
  private func firstOutputFrame(of index: Int) -> Int {
    if index == 0 { return 0 }
    return index < capturedFrameCount ? outputFrames(showing: index).lowerBound : outputFrameCount
  }
}
