import CameraModel
import Timebase

@testable import Cameras

/// Output of v4l2-ctl for invented cameras.
enum ListingSample {
  static let newer = """
    ioctl: VIDIOC_ENUM_FMT
    \tType: Video Capture

    \t[0]: 'MJPG' (Motion-JPEG, compressed)
    \t\tSize: Discrete 1280x720
    \t\t\tInterval: Discrete 0.008s (120.000 fps)
    \t\t\tInterval: Discrete 0.033s (30.000 fps)
    \t\tSize: Discrete 640x480
    \t[1]: 'Y16 ' (16-bit Greyscale)
    \t\tSize: Discrete 640x480
    \t\t\tInterval: Discrete 0.008s (119.880 fps)
    \t[2]: 'Y16 -BE' (16-bit Greyscale BE, emulated)
    \t\tSize: Discrete 640x480
    \t\t\tInterval: Discrete 0.133s (7.500 fps)

    """

  static let newerRows = [
    ModeRow(
      fourcc: "MJPG", size: .discrete(width: 1280, height: 720),
      intervals: [FrameInterval(1, 120), FrameInterval(1, 30)]),
    ModeRow(fourcc: "MJPG", size: .discrete(width: 640, height: 480)),
    ModeRow(
      fourcc: "Y16 ", size: .discrete(width: 640, height: 480), intervals: [FrameInterval(1001, 120_000)]),
    ModeRow(
      fourcc: "Y16 -BE", size: .discrete(width: 640, height: 480), intervals: [FrameInterval(2, 15)]),
  ]

  static let several = """
    /dev/video0
    Driver Info:
    \tDriver name      : uvcvideo
    \tCard type        : Fast Camera: Fast
    \tBus info         : usb-0000:00:14.0-2
    Format Video Capture:
    \tWidth/Height      : 640/480
    \tPixel Format      : 'H264' (H.264)
    ioctl: VIDIOC_ENUM_FMT
    \tType: Video Capture

    \t[0]: 'MJPG' (Motion-JPEG, compressed)
    \t\tSize: Discrete 640x480
    \t\t\tInterval: Discrete 0.004s (240.000 fps)
    $ v4l2-ctl -d /dev/video2 --list-formats-ext
    ioctl: VIDIOC_ENUM_FMT
    \tType: Video Capture

    \t[0]: 'YUYV' (YUYV 4:2:2)
    \t\tSize: Discrete 320x240
    \t\t\tInterval: Discrete 0.033s (30.000 fps)
    /dev/video3
    ioctl: VIDIOC_ENUM_FMT
    \tType: Video Output

    \t[0]: 'RGB3' (24-bit RGB 8-8-8)
    \t\tSize: Discrete 4096x4096
    \t\t\tInterval: Discrete 0.001s (1000.000 fps)
    """
}
