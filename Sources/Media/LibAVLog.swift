internal import CLibAV

/// The chatter of libav's libraries on stderr, which stays silent: what went wrong is in the error thrown.
enum LibAVLog {
  /// Silences libav once, before its first use, unless a host program has chosen a level of its own.
  static let silenced: Void = {
    if av_log_get_level() == AV_LOG_INFO { av_log_set_level(AV_LOG_QUIET) }
  }()
}
