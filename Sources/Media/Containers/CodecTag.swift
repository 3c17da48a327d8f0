internal import CLibAV

/// The four letters by which a file of one kind knows the codec of a track, as far as the container leaves a choice.
///
/// The tag of the file that the frames come from says what else is in them: which ProRes they are, or whether HEVC's
/// parameter sets lie among the frames. Where the container has no such tag, one is chosen.
struct CodecTag {
  /// As libav has it; 0 where libav is to choose.
  let value: UInt32

  /// The tag of a track with `parameters`, which name that of the file that it comes from, in a file of `format`.
  init(_ parameters: AVCodecParameters, in format: AVOutputFormat) {
    var own: UInt32 = 0
    // Matroska knows ProRes by another name, and keeps the tag beside that.
    let isFree = av_codec_get_tag2(format.codec_tag, parameters.codec_id, &own) == 0
    let tags = [parameters.codec_tag, Self.chosen(parameters).map(Self.value(of:)) ?? 0]
    value =
      tags.first {
        $0 != 0 && (isFree || av_codec_get_id(format.codec_tag, $0) == parameters.codec_id)
      } ?? 0
  }

  private static func chosen(_ parameters: AVCodecParameters) -> String? {
    switch parameters.codec_id {
    // Apple's players know HEVC by this name alone, which stands for parameter sets in the header.
    case AV_CODEC_ID_HEVC where parameters.extradata_size > 0: "hvc1"
    case AV_CODEC_ID_PRORES where PixelLayout(code: parameters.format).hasFullChroma: "ap4h"
    default: nil
    }
  }

  /// Four letters as libav has them.
  static func value(of letters: String) -> UInt32 {
    letters.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }
}
