// Types of other libraries that occur in this library's declarations are exported with it.
@_exported public import CameraModel
@_exported public import SystemPackage
@_exported public import Timebase
