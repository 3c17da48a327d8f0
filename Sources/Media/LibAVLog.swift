internal import CLibAV

/// The silencing of libav's log on stderr: the cause of a failure is in the thrown error.
enum LibAVLog {
  /// Silences libav once, before its first use, unless a host program has chosen a level of its own.
  static let silenced: Void = {
    if av_log_get_level() == AV_LOG_INFO { av_log_set_level(AV_LOG_QUIET) }
  }()

  /// Lets each ``DamageWatch`` see the log. A function that a host program sets later for libav's messages replaces
  /// this.
  static let watched: Void = {
    _ = silenced
    clibav_watch_log()
  }()
}
