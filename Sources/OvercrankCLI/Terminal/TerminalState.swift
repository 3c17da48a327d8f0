import CLinux
import Glibc
import Synchronization

/// The settings of the terminal at standard input, which a recording changes to read it without echo.
///
/// They are restored whenever the program stops or ends, and changed again when it continues.
enum TerminalState {
  private struct Settings {
    /// The settings before the program changed them.
    var found: termios?
    /// The changed settings when the program was stopped; `nil` if it had changed none.
    var changed: termios?
  }

  private static let settings = Mutex(Settings())

  /// Notes the settings at the start of the program, and makes sure that a crash restores them.
  static func note() {
    guard let now else { return }
    settings.withLock { $0.found = now }
    clinux_restore_terminal_on_crash(STDIN_FILENO)
  }

  /// Restores the settings, because the program ends at once.
  static func restore() {
    guard isForeground, let found = settings.withLock({ $0.found }) else { return }
    set(found)
  }

  /// Restores the settings, because the program is about to be stopped.
  static func suspend() {
    guard isForeground, let now else { return }
    let found = settings.withLock { settings in
      // The program changes only echo and line buffering.
      settings.changed = settings.found?.c_lflag == now.c_lflag ? nil : now
      return settings.changed == nil ? nil : settings.found
    }
    if let found { set(found) }
  }

  /// Changes the settings again, because the program continues.
  static func resume() {
    // In the background, the terminal belongs to another program.
    guard isForeground, let now else { return }
    let changed = settings.withLock { settings in
      // Nothing is noted if the program had changed no settings, or was stopped without warning.
      guard let changed = settings.changed else { return nil as termios? }
      settings.found = now
      settings.changed = nil
      return changed
    }
    if let changed { set(changed) }
  }

  private static var isForeground: Bool { tcgetpgrp(STDIN_FILENO) == getpgrp() }

  private static var now: termios? {
    var settings = termios()
    return tcgetattr(STDIN_FILENO, &settings) == 0 ? settings : nil
  }

  private static func set(_ settings: termios) {
    var settings = settings
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
  }
}
