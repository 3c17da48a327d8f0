// Re-exports the libraries whose types this library's declarations name.
@_exported public import Capture
@_exported public import Diagnostics
@_exported public import Retime
