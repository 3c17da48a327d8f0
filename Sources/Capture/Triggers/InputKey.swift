import Timebase

/// A key of an input device, by the kernel's number.
struct InputKey: Hashable, Sendable {
  /// The number: `KEY_*` or `BTN_*` of linux/input-event-codes.h.
  let code: UInt16

  /// Creates the key with this number.
  init(code: UInt16) { self.code = code }

  /// Reads a name, `KEY_ENTER`, `enter` or `BTN_LEFT`, or a number, `28`. A single digit is the name of a key.
  ///
  /// - Throws: `QuantityError` if `text` is neither.
  init(text: String) throws(QuantityError) {
    let name = text.uppercased()
    if let code = Self.codes[name] ?? Self.codes["KEY_\(name)"] ?? UInt16(text), code > 0, code <= Self.last {
      self.code = code
    } else {
      throw QuantityError(
        text, expected: "a key, such as KEY_ENTER, KEY_B or BTN_LEFT, or its number, from 1 to \(Self.last)")
    }
  }

  /// The highest number, `KEY_MAX`.
  private static let last = 0x2ff

  /// The usual keys of keyboards, remotes, pedals, mice and game pads; all others have their numbers.
  private static let codes: [String: UInt16] = [
    "KEY_ESC": 1, "KEY_1": 2, "KEY_2": 3, "KEY_3": 4, "KEY_4": 5, "KEY_5": 6, "KEY_6": 7, "KEY_7": 8,
    "KEY_8": 9, "KEY_9": 10, "KEY_0": 11, "KEY_MINUS": 12, "KEY_EQUAL": 13, "KEY_BACKSPACE": 14,
    "KEY_TAB": 15, "KEY_Q": 16, "KEY_W": 17, "KEY_E": 18, "KEY_R": 19, "KEY_T": 20, "KEY_Y": 21,
    "KEY_U": 22, "KEY_I": 23, "KEY_O": 24, "KEY_P": 25, "KEY_LEFTBRACE": 26, "KEY_RIGHTBRACE": 27,
    "KEY_ENTER": 28, "KEY_LEFTCTRL": 29, "KEY_A": 30, "KEY_S": 31, "KEY_D": 32, "KEY_F": 33, "KEY_G": 34,
    "KEY_H": 35, "KEY_J": 36, "KEY_K": 37, "KEY_L": 38, "KEY_SEMICOLON": 39, "KEY_APOSTROPHE": 40,
    "KEY_GRAVE": 41, "KEY_LEFTSHIFT": 42, "KEY_BACKSLASH": 43, "KEY_Z": 44, "KEY_X": 45, "KEY_C": 46,
    "KEY_V": 47, "KEY_B": 48, "KEY_N": 49, "KEY_M": 50, "KEY_COMMA": 51, "KEY_DOT": 52, "KEY_SLASH": 53,
    "KEY_RIGHTSHIFT": 54, "KEY_KPASTERISK": 55, "KEY_LEFTALT": 56, "KEY_SPACE": 57, "KEY_CAPSLOCK": 58,
    "KEY_F1": 59, "KEY_F2": 60, "KEY_F3": 61, "KEY_F4": 62, "KEY_F5": 63, "KEY_F6": 64, "KEY_F7": 65,
    "KEY_F8": 66, "KEY_F9": 67, "KEY_F10": 68, "KEY_NUMLOCK": 69, "KEY_SCROLLLOCK": 70, "KEY_KP7": 71,
    "KEY_KP8": 72, "KEY_KP9": 73, "KEY_KPMINUS": 74, "KEY_KP4": 75, "KEY_KP5": 76, "KEY_KP6": 77,
    "KEY_KPPLUS": 78, "KEY_KP1": 79, "KEY_KP2": 80, "KEY_KP3": 81, "KEY_KP0": 82, "KEY_KPDOT": 83,
    "KEY_F11": 87, "KEY_F12": 88, "KEY_KPENTER": 96, "KEY_RIGHTCTRL": 97, "KEY_KPSLASH": 98,
    "KEY_SYSRQ": 99, "KEY_RIGHTALT": 100, "KEY_HOME": 102, "KEY_UP": 103, "KEY_PAGEUP": 104,
    "KEY_LEFT": 105, "KEY_RIGHT": 106, "KEY_END": 107, "KEY_DOWN": 108, "KEY_PAGEDOWN": 109,
    "KEY_INSERT": 110, "KEY_DELETE": 111, "KEY_MUTE": 113, "KEY_VOLUMEDOWN": 114, "KEY_VOLUMEUP": 115,
    "KEY_POWER": 116, "KEY_PAUSE": 119, "KEY_LEFTMETA": 125, "KEY_RIGHTMETA": 126, "KEY_STOP": 128,
    "KEY_MENU": 139, "KEY_SLEEP": 142, "KEY_WAKEUP": 143, "KEY_PROG1": 148, "KEY_PROG2": 149,
    "KEY_BACK": 158, "KEY_FORWARD": 159, "KEY_NEXTSONG": 163, "KEY_PLAYPAUSE": 164, "KEY_PREVIOUSSONG": 165,
    "KEY_STOPCD": 166, "KEY_RECORD": 167, "KEY_REWIND": 168, "KEY_HOMEPAGE": 172, "KEY_EXIT": 174,
    "KEY_F13": 183, "KEY_F14": 184, "KEY_F15": 185, "KEY_F16": 186, "KEY_F17": 187, "KEY_F18": 188,
    "KEY_F19": 189, "KEY_F20": 190, "KEY_F21": 191, "KEY_F22": 192, "KEY_F23": 193, "KEY_F24": 194,
    "KEY_PAUSECD": 201, "KEY_PLAY": 207, "KEY_FASTFORWARD": 208, "KEY_PRINT": 210, "KEY_CAMERA": 212,
    "KEY_SEARCH": 217, "BTN_0": 256, "BTN_1": 257, "BTN_2": 258, "BTN_3": 259, "BTN_4": 260, "BTN_5": 261,
    "BTN_6": 262, "BTN_7": 263, "BTN_8": 264, "BTN_9": 265, "BTN_LEFT": 272, "BTN_RIGHT": 273,
    "BTN_MIDDLE": 274, "BTN_SIDE": 275, "BTN_EXTRA": 276, "BTN_FORWARD": 277, "BTN_BACK": 278,
    "BTN_TASK": 279, "BTN_TRIGGER": 288, "BTN_THUMB": 289, "BTN_THUMB2": 290, "BTN_TOP": 291,
    "BTN_BASE": 294, "BTN_SOUTH": 304, "BTN_EAST": 305, "BTN_NORTH": 307, "BTN_WEST": 308, "BTN_TL": 310,
    "BTN_TR": 311, "BTN_TL2": 312, "BTN_TR2": 313, "BTN_SELECT": 314, "BTN_START": 315, "BTN_MODE": 316,
    "BTN_THUMBL": 317, "BTN_THUMBR": 318, "BTN_TOUCH": 330, "BTN_STYLUS": 331, "BTN_STYLUS2": 332,
    "KEY_OK": 352, "KEY_SELECT": 353, "KEY_INFO": 358, "KEY_RED": 398, "KEY_GREEN": 399, "KEY_YELLOW": 400,
    "KEY_BLUE": 401, "KEY_CHANNELUP": 402, "KEY_CHANNELDOWN": 403, "KEY_ZOOMIN": 418, "KEY_ZOOMOUT": 419,
    "KEY_NUMERIC_0": 512, "KEY_NUMERIC_1": 513, "KEY_NUMERIC_2": 514, "KEY_NUMERIC_3": 515,
    "KEY_NUMERIC_4": 516, "KEY_NUMERIC_5": 517, "KEY_NUMERIC_6": 518, "KEY_NUMERIC_7": 519,
    "KEY_NUMERIC_8": 520, "KEY_NUMERIC_9": 521, "KEY_CAMERA_FOCUS": 528, "BTN_DPAD_UP": 544,
    "BTN_DPAD_DOWN": 545, "BTN_DPAD_LEFT": 546, "BTN_DPAD_RIGHT": 547,
  ]

  private static let names = Dictionary(
    codes.map { ($0.value, $0.key) }, uniquingKeysWith: { min($0, $1) })
}

extension InputKey: CustomStringConvertible {
  /// The name, or the number of a key without one here.
  var description: String { Self.names[code] ?? "\(code)" }
}
