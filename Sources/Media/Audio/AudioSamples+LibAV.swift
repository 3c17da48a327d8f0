import Platform
internal import CLibAV

extension Picture {
  /// The samples of a frame of audio in ``FilterGraph/format(_:)``.
  func samples(_ channelCount: Int) -> AudioSamples {
    let count = Int(frame.pointee.nb_samples)
    let planes = (0..<channelCount).compactMap { channel in
      frame.pointee.extended_data[channel].map { UnsafeRawPointer($0).assumingMemoryBound(to: Float.self) }
    }
    return AudioSamples(planes, count: count)
  }

  /// Makes this, which holds nothing, a frame of `samples`, the first of which is number `first`.
  func fill(_ samples: AudioSamples, first: Int64) throws(OvercrankError) {
    frame.pointee.format = AV_SAMPLE_FMT_FLTP.rawValue
    frame.pointee.sample_rate = Int32(SlowedAudio.rate)
    frame.pointee.nb_samples = Int32(samples.count)
    frame.pointee.pts = first
    av_channel_layout_default(&frame.pointee.ch_layout, Int32(samples.channels.count))
    guard av_frame_get_buffer(frame, 0) >= 0 else { throw OvercrankError.outOfMemory("audio") }
    for (channel, values) in samples.channels.enumerated() {
      guard let plane = frame.pointee.extended_data[channel] else { continue }
      values.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(start: plane, count: $0.count).copyMemory(from: $0)
      }
    }
  }
}
