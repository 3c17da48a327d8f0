// libav's headers, with the macros that Swift cannot import as inline functions.
#ifndef CLIBAV_H
#define CLIBAV_H

#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavcodec/bsf.h>
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/cpu.h>
#include <libavutil/dict.h>
#include <libavutil/display.h>
#include <libavutil/error.h>
#include <libavutil/imgutils.h>
#include <libavutil/log.h>
#include <libavutil/mathematics.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>

static inline int clibav_error(int posix_errno) { return AVERROR(posix_errno); }
static inline int clibav_eof(void) { return AVERROR_EOF; }
static inline int clibav_invalid_data(void) { return AVERROR_INVALIDDATA; }
static inline int clibav_try_again(void) { return AVERROR(EAGAIN); }
static inline int clibav_no_decoder(void) { return AVERROR_DECODER_NOT_FOUND; }
static inline int clibav_no_encoder(void) { return AVERROR_ENCODER_NOT_FOUND; }
static inline int clibav_patch_welcome(void) { return AVERROR_PATCHWELCOME; }
static inline int64_t clibav_no_timestamp(void) { return AV_NOPTS_VALUE; }
static inline AVRational clibav_rational(int numerator, int denominator) {
  return (AVRational){numerator, denominator};
}

#endif
