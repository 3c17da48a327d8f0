import Platform
internal import CLibAV

/// libavfilter, loaded when it is first used.
enum LibAVFilter {
  /// Its functions; `nil` where it is not on this machine.
  static let functions: clibav_filter_functions? = {
    var functions = clibav_filter_functions()
    return clibav_load_filter_functions(&functions) ? functions : nil
  }()

  /// Whether it is there and has the filter `name`: it can be built without some.
  static func has(_ name: String) -> Bool { functions?.avfilter_get_by_name(name) != nil }

  /// Audio needs it, and it is not there.
  static var missing: OvercrankError {
    OvercrankError(
      .unsupported,
      "audio is slowed down by \(String(cString: clibav_filter_library())), which cannot be loaded here. Install it "
        + "(Debian: libavfilter8), or leave the audio out.", remedy: .dropAudio)
  }
}
