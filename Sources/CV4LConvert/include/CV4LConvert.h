// libv4lconvert's decoders of what old webcams send, without a device.
#ifndef CV4LCONVERT_H
#define CV4LCONVERT_H

#include <stddef.h>
#include <stdint.h>

// Decodes the `size` bytes of `frame` in V4L2's format `pixel_format` to `width` x `height` pixels of three bytes, red
// first. Returns 0, or -1 if the decoder refuses the frame.
//
// Call it from one thread at a time: the decoders share tables and state. They may read beyond `frame` and write beyond
// `rgb`; WebcamDecoder.swift says how far.
int cv4lconvert_decode(uint32_t pixel_format, int width, int height, uint8_t *frame, size_t size, uint8_t *rgb);

#endif
