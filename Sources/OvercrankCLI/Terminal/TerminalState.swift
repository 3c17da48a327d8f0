import CLinux
import Glibc
import Synchronization

/// The settings of the terminal at standard input, which a recording changes to read it unseen.
///
/// They are as they were whenever the program stops or ends, and changed again when it goes on.
enum TerminalState {
  private struct Settings {
    /// As the program found them.
    var found: termios?
    /// As they were when the program was stopped, where it had changed them.
    var changed: termios?
  }

  private static let settings = Mutex(Settings())

  /// Notes the settings at the start of the program, and sees to it that a crash puts them back.
  static func note() {
    guard let now else { return }
    settings.withLock { $0.found = now }
    clinux_restore_terminal_on_crash(STDIN_FILENO)
  }

  /// Puts the settings back, as the program ends at once.
  static func restore() {
    guard isForeground, let found = settings.withLock({ $0.found }) else { return }
    set(found)
  }

  /// Puts the settings back, as the program is about to be stopped.
  static func suspend() {
    guard isForeground, let now else { return }
    let found = settings.withLock { settings in
      // Only the echo and the waiting for a whole line are changed.
      settings.changed = settings.found?.c_lflag == now.c_lflag ? nil : now
      return settings.changed == nil ? nil : settings.found
    }
    if let found { set(found) }
  }

  /// Changes the settings again, as the program goes on.
  static func resume() {
    // In the background they are another program's.
    guard isForeground, let now else { return }
    let changed = settings.withLock { settings in
      // Of a terminal that is changed already, the program was stopped without being asked.
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
