package import Platform
package import AudioModel
internal import CLibAV

/// The parameters of an audio track.
package struct AudioTrack: Sendable {
  let parameters: CodecParameters
  /// The largest possible number of packets; 0 if unknown.
  let packetCount: Int
  /// The ticks per second of its times: the sample rate.
  let rate: Int32
  /// The bytes per sample; 0 for coded audio.
  let sampleBytes: Int
  /// The bytes of two seconds of PCM, with their index entries: audio is written after the pictures, and the
  /// samples still to come must fit into a file with a size limit. 0 for coded audio.
  var reserve: Int64 {
    sampleBytes > 0 ? 2 * Int64(rate) * Int64(sampleBytes) + 200 * Int64(Muxer.frameOverhead) : 0
  }

  /// Creates a track of coded audio at `SlowedAudio.rate`.
  init(parameters: CodecParameters, packetCount: Int) {
    self.parameters = parameters
    self.packetCount = packetCount
    rate = Int32(SlowedAudio.rate)
    sampleBytes = 0
  }

  /// Creates a track of untouched PCM.
  ///
  /// - Throws: `OvercrankError` if memory runs out.
  package init(_ format: AudioFormat) throws(OvercrankError) {
    let parameters = CodecParameters { parameters in
      parameters.pointee.codec_type = AVMEDIA_TYPE_AUDIO
      parameters.pointee.codec_id = format.numbers.codec
      parameters.pointee.sample_rate = Int32(format.rate)
      parameters.pointee.bits_per_coded_sample = Int32(8 * format.numbers.byteCount)
      parameters.pointee.block_align = Int32(format.sampleBytes)
      parameters.pointee.bit_rate = Int64(8 * format.sampleBytes * format.rate)
      av_channel_layout_default(&parameters.pointee.ch_layout, Int32(format.channels))
      return 0
    }
    guard let parameters else { throw OvercrankError.outOfMemory("audio") }
    self.parameters = parameters
    packetCount = 0
    rate = Int32(format.rate)
    sampleBytes = format.sampleBytes
  }
}

extension SampleFormat {
  fileprivate var codec: AVCodecID {
    switch self {
    case .s16: AV_CODEC_ID_PCM_S16LE
    case .s24: AV_CODEC_ID_PCM_S24LE
    case .s32: AV_CODEC_ID_PCM_S32LE
    case .float: AV_CODEC_ID_PCM_F32LE
    }
  }
}
