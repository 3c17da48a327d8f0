// libav's headers, and inline functions for the macros that Swift cannot import.
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
#include <libavutil/crc.h>
#include <libavutil/dict.h>
#include <libavutil/display.h>
#include <libavutil/error.h>
#include <libavutil/imgutils.h>
#include <libavutil/log.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/mathematics.h>
#include <libavutil/md5.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>
#include <stdbool.h>

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

// What FFmpeg 7 keeps elsewhere than FFmpeg 5.1, and deprecates where it was.

// Whether a frame has two fields, and whether the upper one was captured first.
#ifdef AV_FRAME_FLAG_INTERLACED
static inline bool clibav_has_fields(const AVFrame *frame) { return frame->flags & AV_FRAME_FLAG_INTERLACED; }
static inline bool clibav_is_top_first(const AVFrame *frame) { return frame->flags & AV_FRAME_FLAG_TOP_FIELD_FIRST; }
#else
static inline bool clibav_has_fields(const AVFrame *frame) { return frame->interlaced_frame; }
static inline bool clibav_is_top_first(const AVFrame *frame) { return frame->top_field_first; }
#endif

// Returns the pixel formats that an encoder takes, before AV_PIX_FMT_NONE; NULL if it states none.
static inline const enum AVPixelFormat *clibav_pixel_formats(const AVCodec *codec) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 13, 100)
  const void *formats = NULL;
  return avcodec_get_supported_config(NULL, codec, AV_CODEC_CONFIG_PIX_FORMAT, 0, &formats, NULL) < 0 ? NULL : formats;
#else
  return codec->pix_fmts;
#endif
}

#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
// Returns what is attached to a stream; its data is NULL if there is nothing of this type.
static inline AVPacketSideData clibav_side_data(const AVStream *stream, enum AVPacketSideDataType type) {
  const AVCodecParameters *parameters = stream->codecpar;
  const AVPacketSideData *found =
      av_packet_side_data_get(parameters->coded_side_data, parameters->nb_coded_side_data, type);
  return found ? *found : (AVPacketSideData){0};
}

// Returns new memory that is attached to a stream; NULL if there is none.
static inline uint8_t *clibav_new_side_data(AVStream *stream, enum AVPacketSideDataType type, size_t size) {
  AVCodecParameters *parameters = stream->codecpar;
  AVPacketSideData *made =
      av_packet_side_data_new(&parameters->coded_side_data, &parameters->nb_coded_side_data, type, size, 0);
  return made ? made->data : NULL;
}

// Removes what is attached to a stream from a copy of its parameters.
static inline void clibav_remove_side_data(AVCodecParameters *parameters) {
  av_packet_side_data_free(&parameters->coded_side_data, &parameters->nb_coded_side_data);
}
#else
static inline AVPacketSideData clibav_side_data(const AVStream *stream, enum AVPacketSideDataType type) {
  AVPacketSideData found = {.type = type};
  found.data = av_stream_get_side_data(stream, type, &found.size);
  return found;
}
static inline uint8_t *clibav_new_side_data(AVStream *stream, enum AVPacketSideDataType type, size_t size) {
  return av_stream_new_side_data(stream, type, size);
}
static inline void clibav_remove_side_data(AVCodecParameters *parameters) { (void)parameters; }
#endif

// The functions of libavfilter that audio needs. The library is loaded rather than linked: it brings thirty
// others, which took three tenths of the time that a program needs to start, and few runs slow down audio.
#define CLIBAV_FILTER_FUNCTIONS(with)                                                                                  \
  with(avfilter_get_by_name) with(avfilter_graph_alloc) with(avfilter_graph_free) with(avfilter_graph_parse2)          \
  with(avfilter_graph_config) with(avfilter_graph_get_filter) with(avfilter_graph_send_command)                        \
  with(avfilter_inout_free) with(av_buffersrc_add_frame) with(av_buffersink_get_frame)

// Each function is stored under its own name.
typedef struct {
#define CLIBAV_FUNCTION(name) __typeof__(name) *name;
  CLIBAV_FILTER_FUNCTIONS(CLIBAV_FUNCTION)
#undef CLIBAV_FUNCTION
} clibav_filter_functions;

// Returns the file name of the libavfilter that matches these headers.
const char *clibav_filter_library(void);

// Loads the functions. Returns false if the library is not installed or lacks one of them.
bool clibav_load_filter_functions(clibav_filter_functions *functions);

// A watch on the damage of pictures that libavcodec only logs. A decoder of H.264 with several threads copies a
// picture's flags before the thread that decodes it has set them, so they show damage in some runs only; one of GIF
// sets none. When avcodec_receive_frame returns a picture, its thread and those before it are done, so all their
// messages have come.
typedef struct clibav_damage_watch clibav_damage_watch;

// Calls back for messages of libav from now on, before its own function that prints them.
void clibav_watch_log(void);

// Returns a watch of a decoder; NULL if there is no memory.
clibav_damage_watch *clibav_damage_watch_create(int places);
void clibav_damage_watch_free(clibav_damage_watch *watch);

// Returns the value of AVCodecContext.opaque while a packet is sent. The threads' contexts copy it.
void *clibav_damage_place(clibav_damage_watch *watch, int place);

// Returns a place whose packet is damaged, and clears it; -1 if there is none.
int clibav_next_damaged_place(clibav_damage_watch *watch);

#endif
