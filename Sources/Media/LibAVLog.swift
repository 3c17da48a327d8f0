internal import CLibAV

/// The chatter of libav's libraries on stderr. It is silent until ``show()``: what went wrong is in the error thrown.
public enum LibAVLog {
  /// Lets libav write its warnings and errors to stderr, for debugging.
  public static func show() {
    av_log_set_level(AV_LOG_WARNING)
  }

  /// Silences libav once, before its first use, unless a host program has chosen a level of its own.
  static let silenced: Void = {
    if av_log_get_level() == AV_LOG_INFO { av_log_set_level(AV_LOG_QUIET) }
  }()
}
