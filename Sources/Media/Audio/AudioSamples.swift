import Platform

/// Samples of audio at `SlowedAudio.rate`, channel by channel.
struct AudioSamples {
  /// The samples of each channel, equally many, from -1 to 1.
  private(set) var channels: [[Float]]

  /// Creates an empty set of samples for this many channels.
  init(channelCount: Int) { channels = Array(repeating: [], count: channelCount) }

  /// Creates this many samples of silence.
  init(silence count: Int, channelCount: Int) {
    channels = Array(repeating: Array(repeating: 0, count: count), count: channelCount)
  }

  var count: Int { channels[0].count }

  mutating func append(_ other: AudioSamples) {
    for channel in channels.indices { channels[channel] += other.channels[channel] }
  }

  /// Removes and returns the first `count` samples.
  mutating func removeFirst(_ count: Int) -> AudioSamples {
    var first = self
    for channel in channels.indices {
      first.channels[channel].removeSubrange(count...)
      channels[channel].removeFirst(count)
    }
    return first
  }

  /// The samples in `range`.
  subscript(range: Range<Int>) -> AudioSamples {
    var part = AudioSamples(channelCount: channels.count)
    for channel in channels.indices { part.channels[channel] = Array(channels[channel][range]) }
    return part
  }

  /// Replaces the samples with the `values` of each channel, equally many for each.
  mutating func set(_ values: (Int) -> [Float]) { channels = channels.indices.map(values) }

  /// The samples that fade on each side of an edge: 2.5 ms, enough to make a click inaudible without an
  /// audible loss.
  private static let fade = 120

  /// Fades the samples around `edge`, more the nearer they are to it. The first of these samples has number
  /// `first`.
  mutating func fade(around edge: Int, first: Int) {
    let from = max(edge - Self.fade - first, 0)
    let to = min(edge + Self.fade - first, count)
    guard from < to else { return }
    for place in from..<to {
      let gain = (Float(place + first - edge) + 0.5).magnitude / Float(Self.fade)
      for channel in channels.indices { channels[channel][place] *= gain }
    }
  }
}

extension AudioSamples {
  /// Creates `count` samples with one channel per plane.
  init(_ planes: [UnsafePointer<Float>], count: Int) {
    channels = planes.map { Array(UnsafeBufferPointer(start: $0, count: count)) }
  }
}

/// A sequential source of samples.
protocol AudioFlow: AnyObject {
  /// The number of channels.
  var channelCount: Int { get }

  /// Returns the next `count` samples, always that many; silence follows the end.
  func read(_ count: Int) throws(OvercrankError) -> AudioSamples
}

internal import CLibAV

extension Picture {
  /// Returns the samples of an audio frame in ``FilterGraph/format(_:)``.
  func samples(_ channelCount: Int) -> AudioSamples {
    let count = Int(frame.pointee.nb_samples)
    let planes = (0..<channelCount).compactMap { channel in
      frame.pointee.extended_data[channel].map { UnsafeRawPointer($0).assumingMemoryBound(to: Float.self) }
    }
    return AudioSamples(planes, count: count)
  }

  /// Fills this empty frame with `samples`, the first of which has number `first`.
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
