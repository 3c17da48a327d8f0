import Platform

/// Samples of audio at `SlowedAudio.rate`, channel by channel.
struct AudioSamples {
  /// As many in each, from -1 to 1.
  private(set) var channels: [[Float]]

  /// No samples of so many channels.
  init(channelCount: Int) { channels = Array(repeating: [], count: channelCount) }

  /// So many samples of silence.
  init(silence count: Int, channelCount: Int) {
    channels = Array(repeating: Array(repeating: 0, count: count), count: channelCount)
  }

  var count: Int { channels[0].count }

  mutating func append(_ other: AudioSamples) {
    for channel in channels.indices { channels[channel] += other.channels[channel] }
  }

  /// Takes the first `count` away and gives them back.
  mutating func removeFirst(_ count: Int) -> AudioSamples {
    var first = self
    for channel in channels.indices {
      first.channels[channel].removeSubrange(count...)
      channels[channel].removeFirst(count)
    }
    return first
  }

  /// The samples `range`.
  subscript(range: Range<Int>) -> AudioSamples {
    var part = AudioSamples(channelCount: channels.count)
    for channel in channels.indices { part.channels[channel] = Array(channels[channel][range]) }
    return part
  }

  /// Puts `values` of each channel, as many for each, in place of what is there.
  mutating func set(_ values: (Int) -> [Float]) { channels = channels.indices.map(values) }

  /// How many samples fade on each side of an edge: in 2.5 ms nobody hears a click, and nothing that anyone misses is gone.
  private static let fade = 120

  /// Lets what lies next to `edge` fade: the more, the nearer each sample is. The first of these samples is number `first`.
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
  /// `count` samples of as many channels as there are in `planes`.
  init(_ planes: [UnsafePointer<Float>], count: Int) {
    channels = planes.map { Array(UnsafeBufferPointer(start: $0, count: count)) }
  }
}

/// Where samples come from, one after another.
protocol AudioFlow: AnyObject {
  /// Numbers of a sample.
  var channelCount: Int { get }

  /// The next `count` samples: as many, always; silence follows the end.
  func read(_ count: Int) throws(OvercrankError) -> AudioSamples
}

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
