extension Timeline {
  /// The captured frames of parts of the clip about equally long, for so many encoders at once; just one part where a
  /// second would have more keyframes than the encoder makes anyway.
  ///
  /// - Parameters:
  ///   - encoderCount: the number of parts is a multiple of it.
  ///   - keyframeInterval: the most frames of the clip from one keyframe to the next.
  package func segments(encoderCount: Int, keyframeInterval: Int) -> [Range<Int>] {
    let whole = 0..<capturedFrameCount
    guard encoderCount > 1, outputFrameCount > keyframeInterval else { return [whole] }
    let most = encoderCount * keyframeInterval
    let count = (outputFrameCount + most - 1) / most * encoderCount
    var starts: [Int] = []
    // A part begins with a frame that appears, which may be held for longer than a part is.
    for part in 0..<count where starts.last != self[outputFrameCount * part / count] {
      starts.append(self[outputFrameCount * part / count])
    }
    starts[0] = 0
    return zip(starts, starts.dropFirst() + [whole.upperBound]).map { $0..<$1 }
  }
}
