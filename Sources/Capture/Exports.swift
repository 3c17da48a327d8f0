// Re-exports the modules whose types this library's declarations use.
@_exported public import AudioModel
@_exported public import CameraModel
@_exported public import Cameras
@_exported public import Media
@_exported public import Microphones
@_exported public import Platform
@_exported public import Simulator
@_exported public import SystemPackage
@_exported public import Takes
@_exported public import Timebase
@_exported public import V4L2
