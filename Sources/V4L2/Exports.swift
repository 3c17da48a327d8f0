// The types of other rooms that this library's declarations name come with it.
@_exported public import CameraModel
@_exported public import SystemPackage
@_exported public import Timebase
