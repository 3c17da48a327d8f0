// The types of other rooms that this library's declarations name come with it.
@_exported public import Capture
@_exported public import Diagnostics
@_exported public import Retime
