internal import CLibAV

/// The four-character code of a track's codec in a file format, as far as the container leaves a choice.
///
/// The source file's tag carries further information: the variety of ProRes, or whether HEVC's parameter sets
/// are among the frames. If the container does not know that tag, another is chosen.
struct CodecTag {
  /// The tag as libav represents it; 0 lets libav choose.
  let value: UInt32

  /// Chooses the tag of a track with `parameters`, which include the source file's tag, for a file of
  /// `format`.
  init(_ parameters: AVCodecParameters, in format: AVOutputFormat) {
    var own: UInt32 = 0
    // Matroska identifies ProRes differently, and keeps the tag in addition.
    let isFree = av_codec_get_tag2(format.codec_tag, parameters.codec_id, &own) == 0
    var tags = [parameters.codec_tag, Self.chosen(parameters).map(Self.value(of:)) ?? 0]
    // Old readers of AVI know Motion JPEG by this tag alone, and libav keeps QuickTime's.
    if parameters.codec_id == AV_CODEC_ID_MJPEG, String(cString: format.name) == "avi" {
      tags = [Self.value(of: "MJPG")]
    }
    value =
      tags.first {
        $0 != 0 && (isFree || av_codec_get_id(format.codec_tag, $0) == parameters.codec_id)
      } ?? 0
  }

  private static func chosen(_ parameters: AVCodecParameters) -> String? {
    switch parameters.codec_id {
    // Apple's players accept only this tag for HEVC; it means that the parameter sets are in the header.
    case AV_CODEC_ID_HEVC where parameters.extradata_size > 0: "hvc1"
    case AV_CODEC_ID_PRORES where PixelLayout(code: parameters.format).hasFullChroma: "ap4h"
    default: nil
    }
  }

  /// Returns a four-character code as libav represents it.
  static func value(of letters: String) -> UInt32 {
    letters.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }
}
