"""The corpus: small sources with every container, codec, timing, shape, colour and oddity that ffmpeg can write."""
from dataclasses import dataclass, field

import compose


@dataclass
class Source:
    name: str
    extension: str
    encoder: list  # ffmpeg's options for the output
    size: tuple = (160, 96)
    frames: int = 24
    rate: str = "24"
    layout: str = "yuv420p"
    matrix: str = "bt601"
    range: str = "limited"
    filter: str = ""  # after the conversion to layout
    audio: str = ""  # ffmpeg's options for an audio track; "copy" of the recipe's own inputs if it has some
    click: str = "0.1"  # the time of the first click
    delay: str = ""  # the audio's start after that of the pictures
    length: str = "1"  # of the audio
    first: int = 0  # the number of the first picture
    woven: bool = False  # two fields in a frame, with numbers of their own
    more: list = field(default_factory=list)  # further inputs
    maps: list = field(default_factory=list)
    kinds: tuple = ()  # "crop", "fields", "hdr", "pipe": additional variants; "joined": times start again;
    # "untimed": frames have no times; "repeated": a third have that of another; "damaged": some cannot be decoded
    make: object = None  # composes the file: make(maker, source, path)
    inputs: tuple = ()  # the options that ffmpeg needs to read it
    options: tuple = ()  # the options that retime needs
    stream: str = "V:0"


SOURCES = []


def add(name, extension, encoder="", **more):
    assert not any(s.name == name for s in SOURCES), name
    SOURCES.append(Source(name, extension, encoder.split() if isinstance(encoder, str) else encoder, **more))


X264 = "-c:v libx264 -preset ultrafast -crf 12"
X264B = "-c:v libx264 -preset veryfast -crf 12 -bf 3 -g 12"
X265 = "-c:v libx265 -preset ultrafast -crf 12 -x265-params log-level=none"
TAGS601 = " -colorspace smpte170m -color_primaries smpte170m -color_trc smpte170m -color_range tv"
TAGS709 = " -colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv"
AAC, PCM, MP2 = "-c:a aac -b:a 96k", "-c:a pcm_s16le", "-c:a mp2"
HD = dict(size=(1280, 720), frames=8)

# Containers, each with the codecs that it usually holds.
for ext in ("mp4", "mov", "mkv", "ts", "avi", "flv", "3gp", "m4v", "nut", "asf", "mxf"):
    add(f"container-h264-{ext}", ext, (X264 if ext in ("avi", "asf") else X264B) + (" -g 1" if ext == "mxf" else ""),
        rate="25" if ext == "mxf" else "24", audio={"mxf": PCM, "avi": "-c:a libmp3lame", "asf": "-c:a wmav2"}.get(ext, AAC))
for ext in ("mpg", "vob", "ts", "m2ts", "avi", "mkv", "mxf", "mov", "nut", "gxf"):
    add(f"container-mpeg2-{ext}", ext, "-c:v mpeg2video -q:v 2 -g 12" + (" -bf 2" if ext not in ("avi", "gxf") else ""), rate="25",
        size=(720, 576) if ext == "gxf" else (352, 288), audio={"mxf": PCM, "gxf": "-c:a pcm_s16le -ar 48000 -ac 1"}.get(ext, MP2),
        kinds=("untimed",) if ext in ("avi", "gxf") else ())
add("container-mpeg1-mpg", "mpg", "-c:v mpeg1video -q:v 2 -bf 2 -g 12", rate="25", size=(352, 288), audio=MP2)
add("container-mpeg1-m1v", "m1v", "-c:v mpeg1video -q:v 2 -bf 2 -g 12 -f mpeg1video", rate="25", size=(352, 288), kinds=("untimed",))
add("container-mpeg2-m2v", "m2v", "-c:v mpeg2video -q:v 2 -bf 2 -g 12 -f mpeg2video", rate="25", size=(352, 288))
add("container-vp8-webm", "webm", "-c:v libvpx -b:v 2M -deadline realtime -cpu-used 8", audio="-c:a libopus")
add("container-vp9-webm", "webm", "-c:v libvpx-vp9 -b:v 2M -deadline realtime -cpu-used 8", audio="-c:a libopus")
add("container-vp9-mp4", "mp4", "-c:v libvpx-vp9 -b:v 2M -deadline realtime -cpu-used 8", audio=AAC)
add("container-vp8-ivf", "ivf", "-c:v libvpx -b:v 2M -deadline realtime -cpu-used 8")
add("container-vp9-ivf", "ivf", "-c:v libvpx-vp9 -b:v 2M -deadline realtime -cpu-used 8")
add("container-vp9-hidden", "webm", "-c:v libvpx-vp9 -b:v 2M -auto-alt-ref 1 -lag-in-frames 12 -cpu-used 8")
add("container-av1-mp4", "mp4", "-c:v libsvtav1 -preset 12 -crf 20")
add("container-av1-mkv", "mkv", "-c:v libsvtav1 -preset 12 -crf 20", audio="-c:a libvorbis")
add("container-av1-ivf", "ivf", "-c:v libsvtav1 -preset 12 -crf 20")
add("container-av1-obu", "obu", "-c:v libsvtav1 -preset 12 -crf 20 -f obu")
add("container-h264-es", "h264", X264B + " -f h264", rate="25")
add("container-h264-es-nob", "264", X264 + " -f h264", rate="25")
add("container-hevc-es", "hevc", X265 + " -f hevc", rate="25")
add("container-mpeg4-es", "m4v", "-c:v mpeg4 -q:v 2 -f m4v", rate="25")
add("container-mjpeg-es", "mjpeg", "-c:v mjpeg -q:v 2 -f mjpeg", layout="yuvj420p", range="full", rate="25")
add("container-theora-ogv", "ogv", "-c:v libtheora -q:v 9 -g 12", audio="-c:a libvorbis")
add("container-wmv1", "wmv", "-c:v wmv1 -q:v 2", audio="-c:a wmav1")
add("container-wmv2", "wmv", "-c:v wmv2 -q:v 2", audio="-c:a wmav2")
add("container-wtv", "wtv", "-c:v mpeg2video -q:v 2 -g 12", rate="25", size=(352, 288), audio=MP2)
add("container-flv1", "flv", "-c:v flv -q:v 2", audio="-c:a libmp3lame -ar 44100")
add("container-swf", "swf", "-c:v flv -q:v 2", rate="25")
add("container-mjpeg-mpjpeg", "mpjpeg", "-c:v mjpeg -q:v 2 -f mpjpeg", layout="yuvj420p", range="full", rate="25")
add("container-y4m", "y4m", "", kinds=("pipe",))
add("container-ismv", "ismv", X264 + " -g 12", audio=AAC)
add("container-rm", "rm", "-c:v rv20 -q:v 2", rate="25", size=(176, 144))
add("container-dv-pal", "dv", "-c:v dvvideo", size=(720, 576), frames=10, rate="25", woven=True, kinds=("fields",),
    filter="setfield=bff,setsar=16/15", audio=PCM + " -ar 48000 -ac 2", length="0.4")
add("container-dv-ntsc", "dv", "-c:v dvvideo", size=(720, 480), frames=10, rate="30000/1001", layout="yuv411p", woven=True,
    kinds=("fields",), filter="setfield=bff,setsar=8/9")
add("container-dv-wide", "dv", "-c:v dvvideo -aspect 16:9", size=(720, 576), frames=10, rate="25", woven=True, kinds=("fields",),
    filter="setfield=bff")
add("container-dv-wide-crop", "avi", "-c:v dvvideo -aspect 16:9", size=(720, 576), frames=6, rate="25", kinds=("crop",))
for ext in ("avi", "mov", "mkv", "mxf"):
    add(f"container-dv-{ext}", ext, "-c:v dvvideo", size=(720, 576), frames=8, rate="25", woven=True, kinds=("fields",),
        filter="setfield=bff,setsar=16/15", audio=PCM + " -ar 48000 -ac 2", length="0.32")
add("container-dv-ntsc-avi", "avi", "-c:v dvvideo", size=(720, 480), frames=8, rate="30000/1001", layout="yuv411p", woven=True,
    kinds=("fields",), filter="setfield=bff,setsar=8/9")
add("container-dv50-mov", "mov", "-c:v dvvideo", size=(720, 576), frames=8, rate="25", layout="yuv422p", woven=True,
    filter="setfield=bff,setsar=16/15")
add("container-dvcprohd-mov", "mov", "-c:v dvvideo", size=(1280, 1080), frames=6, rate="30000/1001", layout="yuv422p",
    matrix="bt709", filter="setfield=tff,setsar=3/2")
add("container-gif", "gif", "", layout="rgb24", rate="25", filter="split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=none")
add("container-gif-once", "gif", "-loop -1", layout="rgb24", rate="10", frames=8,
    filter="split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=none")
add("container-apng", "apng", "-plays 1", layout="rgb24", rate="25", frames=12)
add("container-apng-loop", "apng", "-plays 0", layout="rgb24", rate="25", frames=12)

# Numbered images.
for ext, layout in (("png", "rgb24"), ("jpg", "yuvj420p"), ("tiff", "rgb24"), ("bmp", "bgr24"), ("dpx", "gbrp10le"), ("tga", "bgr24"),
                    ("ppm", "rgb24"), ("pgm", "gray"), ("webp", "yuv420p"), ("jp2", "rgb24"), ("exr", "gbrpf32le"), ("sgi", "rgb24"),
                    ("pcx", "rgb24"), ("jls", "bgr24"), ("pam", "rgba"), ("qoi", "rgb24"), ("xwd", "rgb24"), ("ras", "rgb24")):
    add(f"images-{ext}", ext, "-c:v libwebp -lossless 1" if ext == "webp" else "-q:v 2" if ext == "jpg" else "", layout=layout, frames=8,
        range="full" if layout.startswith("yuvj") or layout == "gray" else "limited", kinds=("images",), inputs=("-framerate", "24"),
        options=("--capture-rate", "24"))
add("images-png16", "png", "", layout="rgb48be", frames=8, kinds=("images",), inputs=("-framerate", "24"), options=("--capture-rate", "24"))
add("images-pnggray", "png", "", layout="gray", frames=8, range="full", kinds=("images",), inputs=("-framerate", "24"),
    options=("--capture-rate", "24"))

# H.264 and HEVC.
for name, options, more in (
        ("bframes", X264B, {}), ("open-gop", X264B + " -x264-params open-gop=1:keyint=8:min-keyint=4:bframes=3", {}),
        ("baseline", X264 + " -profile:v baseline", {}), ("intra", X264 + " -g 1", {}),
        ("10bit", X264, dict(layout="yuv420p10le")), ("422", X264, dict(layout="yuv422p")),
        ("422-10bit", X264, dict(layout="yuv422p10le")), ("444", X264, dict(layout="yuv444p")), ("gray", X264, dict(layout="gray")),
        ("lossless", "-c:v libx264 -preset ultrafast -qp 0", dict(layout="yuv444p")),
        ("rgb", "-c:v libx264rgb -preset ultrafast -qp 0", dict(layout="rgb24")),
        ("full", X264 + " -color_range pc", dict(range="full")),
        ("yuvj", X264, dict(layout="yuvj420p", range="full")),
        ("weighted", X264 + " -x264-params weightp=2:bframes=3:b-pyramid=2", {}),
        ("slices", X264 + " -slices 4", {}), ("refresh", X264 + " -x264-params intra-refresh=1:keyint=10", {}),
        ("pframes-nokey", X264 + " -g 999", {}), ("pulldown", X264 + " -x264-params pic-struct=1", dict(rate="30")),
        ("long-gop", X264B + " -g 250", dict(frames=60))):
    add(f"h264-{name}", "mkv" if len(SOURCES) % 2 else "mp4", options, **more)
for order in ("tff", "bff"):
    add(f"h264-interlaced-{order}", "mp4", X264 + f" -flags +ildct+ilme -x264opts {order}=1", woven=True, size=(352, 288), rate="25",
        frames=12, kinds=("fields",), filter=f"setfield={order}")
    add(f"h264-interlaced-{order}-ts", "ts", X264 + f" -flags +ildct+ilme -x264opts {order}=1", woven=True, size=(352, 288), rate="25",
        frames=12, kinds=("fields",), filter=f"setfield={order}")
    add(f"mpeg2-interlaced-{order}", "mpg", f"-c:v mpeg2video -q:v 2 -flags +ildct+ilme -top {int(order == 'tff')}", woven=True,
        size=(352, 288), rate="25", frames=12, kinds=("fields",), filter=f"setfield={order}")
    add(f"ffv1-interlaced-{order}", "mkv", f"-c:v ffv1 -field_order {'tt' if order == 'tff' else 'bb'}", woven=True, size=(352, 288),
        rate="25", frames=12, kinds=("fields",), filter=f"setfield={order}")
    add(f"prores-interlaced-{order}", "mov", "-c:v prores_ks -flags +ildct", layout="yuv422p10le", woven=True, size=(352, 288),
        rate="25", frames=8, kinds=("fields",), filter=f"setfield={order}")
add("mpeg2-telecine", "mpg", "-c:v mpeg2video -q:v 2 -g 12", rate="24000/1001", size=(352, 240), frames=24,
    filter="telecine=first_field=top:pattern=23", woven=False, kinds=("soft",))
for tag in ("hvc1", "hev1"):
    for ext in ("mp4", "mov"):
        add(f"hevc-{tag}-{ext}", ext, X265 + f" -tag:v {tag}", audio=AAC)
add("hevc-mkv", "mkv", X265)
add("hevc-ts", "ts", X265)
add("hevc-bframes", "mp4", "-c:v libx265 -preset fast -crf 12 -x265-params log-level=none:bframes=4:keyint=8:open-gop=1 -tag:v hvc1")
add("hevc-10bit", "mp4", X265 + " -tag:v hvc1", layout="yuv420p10le")
add("hevc-422", "mp4", X265, layout="yuv422p10le")
add("hevc-444", "mkv", X265, layout="yuv444p")
add("hevc-12bit", "mkv", X265, layout="yuv420p12le")
add("hevc-gray", "mkv", X265, layout="gray")
add("hevc-lossless", "mp4", X265 + ":lossless=1")

# Other codecs.
for name, options, ext, more in (
        ("mpeg4", "-c:v mpeg4 -q:v 2", "mp4", {}), ("mpeg4-bframes", "-c:v mpeg4 -q:v 2 -bf 2", "mp4", {}),
        ("mpeg4-avi", "-c:v mpeg4 -q:v 2", "avi", {}), ("mpeg4-bframes-avi", "-c:v mpeg4 -q:v 2 -bf 2", "avi", {}),
        ("mpeg4-xvid", "-c:v libxvid -q:v 2", "avi", {}), ("mpeg4-xvid-packed", "-c:v libxvid -q:v 2 -bf 2", "avi", {}),
        ("mpeg4-qpel", "-c:v mpeg4 -q:v 2 -flags +qpel", "mkv", {}),
        ("msmpeg4v2", "-c:v msmpeg4v2 -q:v 2", "avi", {}), ("msmpeg4v3", "-c:v msmpeg4 -q:v 2", "avi", {}),
        ("h261", "-c:v h261 -q:v 2", "mkv", dict(size=(352, 288), rate="30000/1001")),
        ("h263", "-c:v h263 -q:v 2", "3gp", dict(size=(176, 144), rate="30000/1001")),
        ("h263p", "-c:v h263p -q:v 2", "avi", {}), ("snow", "-c:v snow -q:v 2", "nut", {}), ("snow-avi", "-c:v snow -q:v 2", "avi", {}),
        ("mjpeg-420", "-c:v mjpeg -q:v 2", "mov", dict(layout="yuvj420p", range="full")),
        ("mjpeg-422", "-c:v mjpeg -q:v 2", "avi", dict(layout="yuvj422p", range="full")),
        ("mjpeg-444", "-c:v mjpeg -q:v 2", "mkv", dict(layout="yuvj444p", range="full")),
        ("mjpeg-limited", "-c:v mjpeg -q:v 2 -strict unofficial", "mov", {}),
        ("mjpeg-limited-avi", "-c:v mjpeg -q:v 2 -strict unofficial", "avi", dict(layout="yuv422p")),
        ("mjpeg-mp4", "-c:v mjpeg -q:v 2", "mp4", dict(layout="yuvj420p", range="full")),
        ("mjpeg-huffman", "-c:v mjpeg -q:v 2 -huffman optimal", "avi", dict(layout="yuvj420p", range="full")),
        ("ljpeg", "-c:v ljpeg", "avi", dict(layout="bgr24")), ("jpeg2000", "-c:v jpeg2000", "mov", dict(layout="rgb24", frames=8)),
        ("jpeg2000-mxf", "-c:v jpeg2000", "mxf", dict(layout="yuv422p10le", frames=8, rate="25")),
        ("jpegls", "-c:v jpegls", "avi", dict(layout="bgr24")), ("amv", "-c:v amv -q:v 2", "avi", dict(layout="yuvj420p", range="full")),
        ("prores-proxy", "-c:v prores_ks -profile:v 0", "mov", dict(layout="yuv422p10le", audio=PCM)),
        ("prores-lt", "-c:v prores_ks -profile:v 1", "mov", dict(layout="yuv422p10le")),
        ("prores-422", "-c:v prores_ks -profile:v 2", "mov", dict(layout="yuv422p10le")),
        ("prores-hq", "-c:v prores_ks -profile:v 3", "mov", dict(layout="yuv422p10le")),
        ("prores-4444", "-c:v prores_ks -profile:v 4", "mov", dict(layout="yuva444p10le")),
        ("prores-4444xq", "-c:v prores_ks -profile:v 5", "mov", dict(layout="yuv444p10le")),
        ("prores-aw", "-c:v prores_aw", "mov", dict(layout="yuv422p10le")),
        ("prores-mkv", "-c:v prores_ks -profile:v 1", "mkv", dict(layout="yuv422p10le")),
        ("dnxhd", "-c:v dnxhd -b:v 90M", "mov", dict(layout="yuv422p", size=(1280, 720), frames=6, matrix="bt709", rate="24000/1001")),
        ("dnxhd-mxf", "-c:v dnxhd -b:v 90M", "mxf", dict(layout="yuv422p", size=(1280, 720), frames=6, matrix="bt709", rate="24000/1001")),
        ("dnxhr-lb", "-c:v dnxhd -profile:v dnxhr_lb", "mov", dict(layout="yuv422p", size=(256, 128))),
        ("dnxhr-hqx", "-c:v dnxhd -profile:v dnxhr_hqx", "mov", dict(layout="yuv422p10le", size=(256, 128))),
        ("dnxhr-444", "-c:v dnxhd -profile:v dnxhr_444", "mov", dict(layout="yuv444p10le", size=(256, 128))),
        ("cineform", "-c:v cfhd", "mov", dict(layout="yuv422p10le")), ("cineform-rgb", "-c:v cfhd", "avi", dict(layout="gbrp12le")),
        ("ffv1-gbr", "-c:v ffv1", "mkv", dict(layout="bgr0")), ("ffv1-10", "-c:v ffv1", "mkv", dict(layout="yuv420p10le")),
        ("ffv1-16", "-c:v ffv1", "mkv", dict(layout="yuv444p16le")), ("ffv1-avi", "-c:v ffv1", "avi", dict(layout="yuv422p")),
        ("ffv1-gray16", "-c:v ffv1", "mkv", dict(layout="gray16le")), ("ffv1-410", "-c:v ffv1", "mkv", dict(layout="yuv410p")),
        ("ffv1-alpha", "-c:v ffv1", "mkv", dict(layout="yuva420p")), ("ffv1-rgb48", "-c:v ffv1", "mkv", dict(layout="rgb48le")),
        ("ffv1-long", "-c:v ffv1 -g 24", "mkv", {}),
        ("huffyuv", "-c:v huffyuv", "avi", dict(layout="yuv422p")), ("huffyuv-rgb", "-c:v huffyuv", "avi", dict(layout="rgb24")),
        ("ffvhuff", "-c:v ffvhuff", "mkv", dict(layout="yuv420p")), ("ffvhuff-avi", "-c:v ffvhuff", "avi", dict(layout="yuv420p")),
        ("utvideo-420", "-c:v utvideo", "avi", {}), ("utvideo-rgb", "-c:v utvideo", "avi", dict(layout="gbrp")),
        ("utvideo-709", "-c:v utvideo", "avi", dict(layout="yuv422p", size=(1280, 720), frames=4, matrix="bt709")),
        ("utvideo-mkv", "-c:v utvideo", "mkv", dict(layout="yuv444p")), ("magicyuv", "-c:v magicyuv", "avi", dict(layout="yuv422p")),
        ("magicyuv-rgb", "-c:v magicyuv", "mkv", dict(layout="gbrp")),
        ("qtrle", "-c:v qtrle", "mov", dict(layout="rgb24")), ("qtrle-gray", "-c:v qtrle", "mov", dict(layout="gray")),
        ("qtrle-argb", "-c:v qtrle", "mov", dict(layout="argb")),
        ("smc", "-c:v smc", "mov", dict(layout="pal8", filter="split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=none")),
        ("svq1", "-c:v svq1 -q:v 2", "mov", dict(layout="yuv410p")), ("png-mov", "-c:v png", "mov", dict(layout="rgb24")),
        ("png-mkv", "-c:v png", "mkv", dict(layout="rgba")), ("png-avi", "-c:v png", "avi", dict(layout="rgb24")),
        ("png-mp4", "-c:v png", "mp4", dict(layout="rgb24")),
        ("cinepak", "-c:v cinepak", "avi", dict(layout="rgb24", frames=8)), ("cinepak-mov", "-c:v cinepak", "mov", dict(layout="rgb24", frames=8)),
        ("msvideo1", "-c:v msvideo1", "avi", dict(layout="rgb555le")), ("zmbv", "-c:v zmbv", "avi", dict(layout="bgr0")),
        ("flashsv", "-c:v flashsv", "flv", dict(layout="bgr24")), ("flashsv2", "-c:v flashsv2", "flv", dict(layout="bgr24")),
        ("asv1", "-c:v asv1 -q:v 1", "avi", {}), ("asv2", "-c:v asv2 -q:v 2", "avi", {}), ("roq", "-c:v roqvideo", "roq",
            dict(layout="yuvj444p", range="full", rate="30", size=(160, 96))),
        ("vc2", "-c:v vc2", "mkv", dict(layout="yuv422p", size=(352, 288), frames=6)),
        ("hap", "-c:v hap", "mov", dict(layout="rgba", size=(160, 96))), ("hapq", "-c:v hap -format hap_q", "mov", dict(layout="rgba")),
        ("speedhq", "-c:v speedhq", "nut", dict(layout="yuv422p", size=(352, 288))), ("xface-none", "-c:v zlib", "avi", dict(layout="bgr24")),
        ("theora-mkv", "-c:v libtheora -q:v 9", "mkv", {}), ("theora-444", "-c:v libtheora -q:v 9", "ogv", dict(layout="yuv444p")),
        ("vp8-alpha", "-c:v libvpx -b:v 2M -auto-alt-ref 0 -deadline realtime", "webm", dict(layout="yuva420p")),
        ("vp9-alpha", "-c:v libvpx-vp9 -b:v 2M -deadline realtime -cpu-used 8", "webm", dict(layout="yuva420p")),
        ("vp9-444", "-c:v libvpx-vp9 -b:v 2M -deadline realtime -cpu-used 8", "mkv", dict(layout="yuv444p")),
        ("vp9-10bit", "-c:v libvpx-vp9 -b:v 2M -deadline realtime -cpu-used 8", "mkv", dict(layout="yuv420p10le")),
        ("vp9-rgb", "-c:v libvpx-vp9 -b:v 2M -deadline realtime -cpu-used 8", "mkv", dict(layout="gbrp")),
        ("vp8-hidden", "-c:v libvpx -b:v 1M -auto-alt-ref 1 -lag-in-frames 12 -cpu-used 8", "mkv", dict(frames=40)),
        ("av1-10bit", "-c:v libsvtav1 -preset 12 -crf 20", "mp4", dict(layout="yuv420p10le")),
        ("av1-aom", "-c:v libaom-av1 -cpu-used 8 -usage realtime -crf 20", "mkv", dict(frames=10)),
        ("v210", "-c:v v210", "mov", dict(layout="yuv422p10le", size=(192, 96))), ("v308", "-c:v v308", "mov", dict(layout="yuv444p")),
        ("v408", "-c:v v408", "mov", dict(layout="yuva444p")), ("v410", "-c:v v410", "mov", dict(layout="yuv444p10le")),
        ("r210", "-c:v r210", "mov", dict(layout="gbrp10le")), ("r10k", "-c:v r10k", "mov", dict(layout="gbrp10le")),
        ("yuv4", "-c:v yuv4", "mov", {}), ("y41p", "-c:v y41p", "avi", dict(layout="yuv411p")),
        ("xvid-mkv", "-c:v libxvid -q:v 2", "mkv", {})):
    add(f"codec-{name}", ext, options, **more)

# Raw video.
for layout, containers in (
        ("rgb24", "mov avi nut"), ("bgr24", "avi"), ("gray", "avi nut"), ("gray16le", "nut"), ("gray10le", "nut"),
        ("yuyv422", "mov avi nut"), ("uyvy422", "mov mkv"), ("rgba", "nut"), ("argb", "mov"), ("bgra", "avi"), ("yuv420p", "avi mkv nut"),
        ("yuv420p10le", "nut"), ("p010le", "nut"), ("nv12", "avi mkv"), ("nv21", "nut"), ("yuv422p", "nut"), ("yuv422p10le", "nut"),
        ("yuv444p", "nut"), ("yuv411p", "avi"), ("yuv410p", "avi"), ("rgb565le", "nut"), ("rgb555le", "avi"), ("gbrp", "nut"), ("gbrp10le", "nut"),
        ("yuvj420p", "nut"), ("yvyu422", "nut"), ("monow", "nut"), ("gray12le", "nut"), ("rgb48le", "nut"), ("bgr0", "nut"), ("yuva420p", "nut")):
    for ext in containers.split():
        add(f"raw-{layout}-{ext}", ext, f"-c:v rawvideo -pix_fmt {layout}" + (" -allow_raw_vfw 1" if ext == "mkv" else ""), layout=layout,
            frames=10, range="full" if layout.startswith(("yuvj",)) else "limited",
            # Raw grey of more than 8 bits is treated as a sensor's.
            options=("--develop", "none") if layout.startswith("gray1") else ())
add("raw-pal8-avi", "avi", "-c:v rawvideo", layout="pal8", frames=8, filter="split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=none")
add("raw-pal8-nut", "nut", "-c:v rawvideo", layout="pal8", frames=8, filter="split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=none")
for ext in ("avi", "mkv", "nut", "mov"):
    layout = {"mov": "uyvy422"}.get(ext, "yuv420p")
    add(f"raw-hd-{ext}", ext, f"-c:v rawvideo -pix_fmt {layout}" + (" -allow_raw_vfw 1" if ext == "mkv" else ""), layout=layout, matrix="bt709",
        size=(1280, 720), frames=4)
for layout in ("yuv420p", "yuv422p", "yuv444p", "gray", "yuv411p", "yuv420p10le", "yuv422p10le", "yuv444p12le", "yuv420p16le"):
    add(f"y4m-{layout}", "y4m", "-strict -1", layout=layout, frames=10, kinds=("pipe",))
add("y4m-full", "y4m", "-strict -1 -color_range pc", range="full", frames=8, kinds=("pipe",))
add("y4m-hd", "y4m", "", size=(1280, 720), frames=4, matrix="bt709", kinds=("pipe",))
add("y4m-fullhd-422", "y4m", "", size=(1920, 1080), frames=3, matrix="bt709", layout="yuv422p", kinds=("pipe",))
add("y4m-interlaced", "y4m", "", size=(352, 288), frames=8, rate="25", woven=True, filter="setfield=tff", kinds=("fields",))
add("y4m-sar", "y4m", "", size=(352, 288), frames=8, rate="25", filter="setsar=16/15", kinds=("crop",))

# Rates.
for rate in ("24000/1001", "25", "30000/1001", "30", "48", "50", "60000/1001", "60", "100", "120", "120000/1001", "240", "15", "10", "5", "1", "13"):
    frames = max(6, min(40, int(eval(rate) * 0.5) + 2))
    for ext in ("mkv" if len(SOURCES) % 2 else "mp4",):
        add(f"rate-{rate.replace('/', '-')}-{ext}", ext, X264B, rate=rate, frames=frames)
for rate in ("30000/1001", "60", "240"):
    for ext in ("avi", "mov", "ts", "nut"):
        add(f"rate-{rate.replace('/', '-')}-{ext}", ext, X264 if ext == "avi" else X264B, rate=rate, frames=30)

# Times.
VFR = {"gaps": "N*40+floor(N/6)*200", "jitter": "N*40+mod(N*7\\,13)", "speeding": "1000*sqrt(N/24)", "slowing": "N*N*3", "pairs": "floor(N/2)*80+mod(N\\,2)*10"}
for kind, expression in VFR.items():
    for ext in ("mp4", "mkv", "mov", "nut", "ts", "webm", "flv", "asf") if kind == "gaps" else ("mp4", "mkv", "ts"):
        codec = "-c:v libvpx -b:v 2M -deadline realtime -cpu-used 8" if ext == "webm" else X264B
        base = "1/90000" if ext == "ts" else "1/1000"
        formula = f"({expression})*90" if ext == "ts" else expression
        add(f"vfr-{kind}-{ext}", ext, f"{codec} -enc_time_base {base.replace('/', ':')}", filter=f"settb={base},setpts={formula}")
# Frames are missing before the last one: the end that MOV and MP4 state is then only its start.
for ext in ("mp4", "mov", "mkv"):
    for codec, options in (("h264", X264B), ("mpeg4", "-c:v mpeg4 -q:v 2 -bf 2")):
        add(f"vfr-last-{codec}-{ext}", ext, options + " -enc_time_base 1:60", filter="settb=1/60,setpts=N+floor((N+1)/4)*2")
    add(f"vfr-last-long-{ext}", ext, X264B + " -enc_time_base 1:60", filter="settb=1/60,setpts=N+60*eq(N\\,23)")
# Matroska has no times before 0, and ffmpeg guesses others for such frames.
for offset, containers in (("5", "mp4 mkv ts mov nut mpg flv"), ("0.5", "mp4 mkv mov ts"), ("-0.48", "mp4 mov"), ("90000", "mp4 mkv ts mpg")):
    for ext in containers.split():
        codec = "-c:v mpeg2video -q:v 2 -bf 2" if ext == "mpg" else X264B
        add(f"start-{offset}-{ext}", ext, f"{codec} -output_ts_offset {offset}" + (" -avoid_negative_ts disabled" if offset < "0" else ""),
            rate="25", size=(352, 288), audio=MP2 if ext in ("mpg", "ts") else AAC)
add("start-negative-dts-mkv", "mkv", X264B + " -avoid_negative_ts disabled", audio=AAC)
add("start-negative-dts-nocts-mp4", "mp4", X264B + " -movflags +negative_cts_offsets", audio=AAC)
add("start-no-edits-mp4", "mp4", X264B + " -use_editlist 0", audio=AAC)
add("fragmented-mp4", "mp4", X264B + " -movflags +frag_keyframe+empty_moov", audio=AAC)
# libavformat omits half of the audio's packets if every packet is a fragment.
add("fragmented-dash-mp4", "mp4", X264B + " -movflags +dash+frag_every_frame")
add("fragmented-delay-mov", "mov", X264B + " -movflags +frag_keyframe+delay_moov", audio=AAC)
add("fragmented-keyframe-mp4", "mp4", X264B + " -movflags +frag_keyframe", audio=AAC)
# With an index of fragments, ffmpeg writes wrong offsets for all frames after the first.
add("fragmented-hybrid-mp4", "mp4", X264B + " -movflags +frag_keyframe+global_sidx", audio=AAC, kinds=("damaged",))
add("faststart-mp4", "mp4", X264B + " -movflags +faststart", audio=AAC)
add("wrap-ts", "ts", X264B + " -output_ts_offset 95443.2 -muxdelay 0", rate="25", audio=MP2)
add("wrap-mpg", "mpg", "-c:v mpeg2video -q:v 2 -output_ts_offset 95443.2", rate="25", size=(352, 288), audio=MP2)
for ext in ("mkv", "nut", "mp4"):
    add(f"equal-times-{ext}", ext, "-c:v mjpeg -q:v 2", layout="yuvj420p", range="full", make=compose.equal_times,
        kinds=("repeated",) if ext == "mkv" else ())
for frames in (1, 2):
    for ext in ("mp4", "mkv", "avi", "ts", "mov", "nut", "webm", "gif", "y4m", "flv", "mpg", "ogv") if frames == 1 else ("mp4", "mkv", "avi", "ts"):
        codec = {"webm": "-c:v libvpx -b:v 2M", "gif": "", "y4m": "", "mpg": "-c:v mpeg2video -q:v 2", "ogv": "-c:v libtheora -q:v 9"}.get(ext, X264)
        add(f"frames-{frames}-{ext}", ext, codec, frames=frames, rate="25", layout="rgb24" if ext == "gif" else "yuv420p",
            filter="split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=none" if ext == "gif" else "",
            size=(352, 288) if ext == "mpg" else (160, 96))

# Shapes.
for size in ("1x1", "2x2", "3x3", "16x16", "161x97", "160x97", "161x96", "98x50", "2x200", "200x2", "4096x64", "96x400", "1920x1080", "1080x1920", "720x576", "322x242"):
    width, height = map(int, size.split("x"))
    even = width % 2 == 0 and height % 2 == 0
    frames = 4 if width * height > 200000 else 8
    matrix = "bt709" if height >= 720 else "bt601"
    if even and min(width, height) >= 2:
        add(f"size-{size}-h264", "mp4", X264, size=(width, height), frames=frames, matrix=matrix)
    else:
        add(f"size-{size}-ffv1", "mkv", "-c:v ffv1", size=(width, height), frames=frames, layout="yuv444p", matrix=matrix)
    if width < 100:
        add(f"size-{size}-png", "mov", "-c:v png", size=(width, height), frames=frames, layout="rgb24")
for sar in ("2/1", "1/2", "4/3", "16/15", "64/45", "10/11", "40/33", "8/9", "999/1000", "1/3"):
    for ext in ("mp4", "mkv", "avi") if sar in ("2/1", "16/15") else ("mp4",):
        codec = "-c:v mpeg4 -q:v 2" if ext == "avi" else X264
        add(f"sar-{sar.replace('/', '-')}-{ext}", ext, codec, size=(192, 144), frames=8, filter=f"setsar={sar}", kinds=("crop",))
add("sar-dar-mpg", "mpg", "-c:v mpeg2video -q:v 2 -aspect 16:9", size=(720, 576), frames=8, rate="25", kinds=("crop",))
add("sar-pasp-only", "mov", "-c:v prores_ks", layout="yuv422p10le", size=(192, 144), frames=6, filter="setsar=2/1", kinds=("crop",))
for rotation in (90, 180, 270):
    for ext in ("mp4", "mov"):
        add(f"rotate-{rotation}-{ext}", ext, X264, size=(192, 144), frames=10, make=compose.rotated(rotation), kinds=("crop",))
add("rotate-90-sar", "mp4", X264, size=(192, 144), frames=8, filter="setsar=2/1", make=compose.rotated(90), kinds=("crop",))
add("rotate-90-hd", "mp4", X264, size=(1280, 720), frames=4, matrix="bt709", make=compose.rotated(90))
for flip, matrix in (("h", (-1, 0, 0, 1)), ("v", (1, 0, 0, -1)), ("transpose", (0, 1, 1, 0)), ("antitranspose", (0, -1, -1, 0))):
    add(f"flip-{flip}", "mp4", X264, size=(192, 144), frames=8, make=compose.matrix(*matrix))
add("rotate-3", "mp4", X264, size=(192, 144), frames=8, make=compose.rotated(3))

# Colours.
for name, tags, matrix in (("601", TAGS601, "bt601"), ("709", TAGS709, "bt709"),
                           ("470bg", " -colorspace bt470bg -color_primaries bt470bg -color_trc gamma28 -color_range tv", "bt601"),
                           ("240m", " -colorspace smpte240m -color_primaries smpte240m -color_trc smpte240m -color_range tv", "smpte240m"),
                           ("2020", " -colorspace bt2020nc -color_primaries bt2020 -color_trc bt2020-10 -color_range tv", "bt2020"),
                           ("fcc", " -colorspace fcc -color_primaries bt470m -color_trc gamma22 -color_range tv", "fcc"),
                           ("709-full", TAGS709.replace("range tv", "range pc"), "bt709"), ("601-full", TAGS601.replace("range tv", "range pc"), "bt601"),
                           ("untagged", "", None)):
    for size in ((160, 96), (1280, 720)):
        for codec, ext in ((X264, "mp4"), ("-c:v ffv1", "mkv"), ("-c:v prores_ks", "mov"), ("-c:v mpeg2video -q:v 2", "ts")):
            if codec.startswith("-c:v mpeg2") and name not in ("601", "709", "untagged") or codec.startswith("-c:v prores") and name in ("fcc", "240m", "709-full", "601-full"):
                continue
            chosen = matrix or ("bt709" if size[1] >= 720 else "bt601")
            label = codec.split()[1].replace("lib", "")
            if size[1] >= 720 and (name not in ("601", "709", "untagged", "601-full") or ext == "ts"):
                continue
            add(f"colour-{name}-{size[1]}-{label}-{ext}", ext, codec + tags, size=size, frames=4 if size[1] >= 720 else 8, rate="25", matrix=chosen,
                range="full" if "full" in name else "limited", layout="yuv422p10le" if "prores" in codec else "yuv420p")
HDR = ":hdr10=1:repeat-headers=1:colorprim=bt2020:transfer={}:colormatrix=bt2020nc"
LIGHT = ":master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50):max-cll=1000,400"
TAGS2020 = " -colorspace bt2020nc -color_primaries bt2020 -color_trc {} -color_range tv"
for ext in ("mp4", "mkv", "mov", "ts"):
    add(f"hdr-pq-light-{ext}", ext, X265 + HDR.format("smpte2084") + LIGHT + TAGS2020.format("smpte2084") + (" -tag:v hvc1" if ext in ("mp4", "mov") else ""),
        layout="yuv420p10le", matrix="bt2020", kinds=("hdr",), frames=8)
add("hdr-hlg", "mp4", X265 + HDR.format("arib-std-b67") + TAGS2020.format("arib-std-b67"), layout="yuv420p10le", matrix="bt2020", kinds=("hdr",), frames=8)
add("hdr-hlg-prores", "mov", "-c:v prores_ks -profile:v 3" + TAGS2020.format("arib-std-b67"), layout="yuv422p10le", matrix="bt2020", kinds=("hdr",), frames=8)
add("hdr-pq-ffv1", "mkv", "-c:v ffv1" + TAGS2020.format("smpte2084"), layout="yuv420p10le", matrix="bt2020", kinds=("hdr",), frames=8)
add("hdr-pq-vp9", "webm", "-c:v libvpx-vp9 -b:v 2M -deadline realtime -cpu-used 8" + TAGS2020.format("smpte2084"), layout="yuv420p10le", matrix="bt2020",
    kinds=("hdr",), frames=8)
add("hdr-pq-av1", "mp4", "-c:v libsvtav1 -preset 12 -crf 20" + TAGS2020.format("smpte2084"), layout="yuv420p10le", matrix="bt2020", kinds=("hdr",), frames=8)
add("hdr-light-av1", "mkv", ["-c:v", "libsvtav1", "-preset", "12", "-crf", "20", "-svtav1-params",
    "mastering-display=G(0.265,0.69)B(0.15,0.06)R(0.68,0.32)WP(0.3127,0.329)L(1000,0.005):content-light=1000,400:enable-hdr=1",
    *TAGS2020.format("smpte2084").split()], layout="yuv420p10le", matrix="bt2020", kinds=("hdr",), frames=8)
add("hdr-light-h264", "mp4", X264 + " -x264-params mastering-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50):cll=1000,400"
    + TAGS2020.format("smpte2084"), layout="yuv420p10le", matrix="bt2020", kinds=("hdr",), frames=8)

# Audio.
for codec, ext in (("aac", "mp4"), ("aac", "mkv"), ("pcm_s16le", "mov"), ("pcm_s24le", "mov"), ("pcm_f32le", "mkv"), ("libopus", "mkv"), ("libopus", "mp4"),
                   ("ac3", "mkv"), ("ac3", "ts"), ("libmp3lame", "mp4"), ("libvorbis", "mkv"), ("flac", "mkv"), ("alac", "mov"), ("pcm_u8", "avi"),
                   ("adpcm_ms", "avi"), ("eac3", "mp4"), ("pcm_alaw", "mov"), ("wavpack", "mkv"), ("dca -strict -2", "mkv"), ("adpcm_ima_qt", "mov"),
                   ("libtwolame", "ts"), ("pcm_s16be", "mov"), ("tta", "mkv"), ("wmav2", "asf"), ("libopus", "ts")):
    add(f"audio-{codec.split()[0]}-{ext}", ext, X264, audio=f"-c:a {codec}")
for ext in ("mp4", "mkv", "ts", "mov"):
    add(f"audio-late-{ext}", ext, X264B, audio=AAC, delay="0.3")
    add(f"audio-early-{ext}", ext, X264B, audio=AAC, delay="-0.3", length="1.5", click="0.4")
    add(f"audio-short-{ext}", ext, X264B, audio=AAC, length="0.4")
    add(f"audio-long-{ext}", ext, X264B, audio=AAC, length="3")
add("audio-mono-8k", "mov", X264, audio="-c:a pcm_s16le -ar 8000 -ac 1")
add("audio-96k", "mkv", X264, audio="-c:a flac -ar 96000")
add("audio-six", "mkv", X264, audio="-c:a ac3 -ac 6")
add("audio-six-aac", "mp4", X264, audio="-c:a aac -ac 6")
add("audio-two-tracks", "mp4", X264, audio=AAC, more=["-f", "lavfi", "-i", "sine=f=200:d=1"], maps=["-map", "2:a"])

# Other tracks.
COVER = ["-f", "lavfi", "-i", "color=red:s=64x64:d=0.04,format=yuvj420p"]
for ext in ("mp4", "mkv", "mov"):
    add(f"tracks-cover-{ext}", ext, X264 + " -c:v:1 mjpeg -disposition:v:1 attached_pic" if ext != "mkv" else X264, audio=AAC, more=COVER if ext != "mkv" else [],
        maps=["-map", "2:v"] if ext != "mkv" else [], make=compose.with_attachment if ext == "mkv" else None)
add("tracks-two-videos-mp4", "mp4", X264, more=["-f", "lavfi", "-i", "testsrc2=s=128x72:r=24:d=1"], maps=["-map", "1:v"])
add("tracks-two-videos-mkv", "mkv", X264, more=["-f", "lavfi", "-i", "testsrc2=s=128x72:r=24:d=1"], maps=["-map", "1:v"])
add("tracks-two-videos-ts", "ts", X264, more=["-f", "lavfi", "-i", "testsrc2=s=128x72:r=24:d=1"], maps=["-map", "1:v"])
add("tracks-timecode-mov", "mov", X264 + " -timecode 01:00:00:00", audio=PCM, rate="25")
add("tracks-timecode-mxf", "mxf", "-c:v mpeg2video -q:v 2 -timecode 01:00:00:00", rate="25", size=(352, 288))
for ext, codec in (("mkv", "srt"), ("mp4", "mov_text"), ("mkv", "ass")):
    add(f"tracks-subtitles-{codec}-{ext}", ext, X264 + f" -c:s {codec}", audio=AAC, make=compose.with_subtitles)
for ext in ("mkv", "mp4", "mov"):
    add(f"tracks-chapters-{ext}", ext, X264B, audio=AAC, make=compose.with_chapters)

# Edit lists. An entry is a length and a start, in seconds of the track; the start -1 shows nothing.
EDITS = {"hides-start": [(0.625, 0.375)], "hides-part-of-frame": [(0.6, 0.4)], "hides-end": [(0.5, 0)], "hides-both": [(0.4, 0.25)], "late": [(0.3, -1), (1, 0)], "late-hides": [(0.3, -1), (0.5, 0.25)],
         "repeats": [(0.5, 0), (0.5, 0)], "swaps": [(0.5, 0.5), (0.5, 0)], "gap": [(0.25, 0), (0.25, -1), (0.5, 0.5)], "skips": [(0.25, 0), (0.25, 0.75)]}
for name, edits in EDITS.items():
    for ext, codec in (("mp4", X264B + " -g 6"), ("mov", "-c:v mjpeg -q:v 2"), ("mp4", X264B + " -g 250")):
        if "250" in codec and not name.startswith("hides"):
            continue
        add(f"edits-{name}-{ext}" + ("-long" if "250" in codec else ""), ext, codec, make=compose.edited(edits), layout="yuvj420p" if "mjpeg" in codec else "yuv420p",
            range="full" if "mjpeg" in codec else "limited", audio=AAC if ext == "mp4" and name == "hides-start" else "", first=1)
add("edits-cut-by-copy", "mp4", X264B + " -g 12", make=compose.cut_by_copy, frames=60, rate="30", audio=AAC)

# Files of other programs.
add("joined-ts", "ts", X264B + " -g 12", make=compose.joined, kinds=("joined",), audio=MP2, rate="25")
add("joined-ts-mpeg2", "ts", "-c:v mpeg2video -q:v 2 -bf 2 -g 12", make=compose.joined, kinds=("joined",), rate="25", size=(352, 288))
add("joined-vob", "vob", "-c:v mpeg2video -q:v 2 -bf 2 -g 12", make=compose.joined, kinds=("joined",), audio="-c:a ac3", rate="25", size=(352, 288))
add("joined-mpg", "mpg", "-c:v mpeg2video -q:v 2 -bf 2 -g 12", make=compose.joined, kinds=("joined",), rate="25", size=(352, 288))
add("joined-ogv", "ogv", "-c:v libtheora -q:v 9", make=compose.joined, kinds=("joined",), rate="25")
add("joined-ogv-audio", "ogv", "-c:v libtheora -q:v 9", make=compose.joined, kinds=("joined",), rate="25", audio="-c:a libvorbis")
add("joined-h264-es", "h264", X264B + " -g 12 -f h264", make=compose.joined, kinds=("joined",), rate="25")
add("joined-m2v", "m2v", "-c:v mpeg2video -q:v 2 -bf 2 -g 12 -f mpeg2video", make=compose.joined, kinds=("joined",), rate="25", size=(352, 288))
add("joined-later-ts", "ts", X264B + " -g 12", make=compose.joined_later, kinds=("joined",), rate="25")
add("lone-avi-2to30", "avi", "-c:v mpeg4 -q:v 2", make=compose.avi_length(2 ** 30), audio="-c:a libmp3lame")
add("lone-avi-2to30-mjpeg", "avi", "-c:v mjpeg -q:v 2", make=compose.avi_length(2 ** 30), layout="yuvj420p", range="full")
add("lone-avi-zero-frames", "avi", "-c:v mpeg4 -q:v 2", make=compose.avi_length(0))
add("lone-avi-noindex", "avi", "-c:v mpeg4 -q:v 2", make=compose.avi_without_index, kinds=("noindex",))
add("lone-avi-dropped", "avi", "-c:v mjpeg -q:v 2", make=compose.avi_with_dropped, layout="yuvj420p", range="full")
add("lone-gxf-pal", "gxf", "-c:v mpeg2video -q:v 2", rate="25", size=(720, 576), frames=10, kinds=("untimed",))
add("lone-gxf-ntsc", "gxf", "-c:v mpeg2video -q:v 2", rate="30000/1001", size=(720, 480), frames=10, kinds=("untimed",))
add("lone-gxf-mjpeg", "gxf", "-c:v mjpeg -q:v 2", rate="25", size=(720, 576), frames=10, layout="yuvj422p", range="full")
for ext in ("mp4", "mov", "mkv"):
    add(f"lone-long-last-{ext}", ext, X264B + " -enc_time_base 1:1000", filter="settb=1/1000,setpts=N*40", make=compose.long_last, audio="")
for polarity in (1, 2):
    add(f"lone-avi1-{polarity}", "avi", "-c:v mjpeg -q:v 2", layout="yuvj420p", range="full", size=(352, 288), rate="25", frames=10,
        make=compose.avi1(polarity), woven=True, kinds=("fields", "either-weave"))
for ext, codec in (("mp4", X264B), ("mkv", X264B), ("avi", "-c:v mpeg4 -q:v 2"), ("ts", X264B), ("mpg", "-c:v mpeg2video -q:v 2"), ("ogv", "-c:v libtheora -q:v 9"),
                   ("flv", X264), ("mov", "-c:v mjpeg -q:v 2"), ("nut", X264), ("asf", "-c:v msmpeg4 -q:v 2"), ("y4m", "")):
    mjpeg = "mjpeg" in codec
    add(f"cut-{ext}", ext, codec + (" -movflags +faststart" if ext in ("mp4", "mov") else ""), make=compose.cut(0.7), kinds=("cut",), layout="yuvj420p" if mjpeg else "yuv420p",
        range="full" if mjpeg else "limited", rate="25", size=(352, 288))
add("lone-ts-garbage", "ts", X264B, make=compose.ts_garbage, kinds=("damaged",))
add("lone-ts-204", "ts", X264B, make=compose.ts_204)
add("lone-mpg-garbage", "mpg", "-c:v mpeg2video -q:v 2", rate="25", size=(352, 288), make=compose.trailing_garbage, kinds=("cut",))
add("lone-mp4-junk-after", "mp4", X264B, make=compose.trailing_garbage, kinds=("cut",))
add("lone-h264-es-garbage", "h264", X264 + " -f h264", rate="25", make=compose.leading_garbage, kinds=("damaged",))
