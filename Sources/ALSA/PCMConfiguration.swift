internal import CALSA
import Glibc
import SystemPackage

/// libasound's configuration: what the names of devices stand for on this machine and for this user.
///
/// It is read once, and a device is opened by what was read and checked.
struct PCMConfiguration: ~Copyable {
  private let root: OpaquePointer

  /// The configuration of this machine and user.
  ///
  /// - Throws: ``ALSAError``, which names `device` as what was to be opened.
  init(for device: String) throws(ALSAError) {
    var top: OpaquePointer?
    let result = snd_config_update_ref(&top)
    guard result >= 0, let top else { throw .open(device, Errno(rawValue: -result)) }
    root = top
  }

  /// The configuration that the file at `path` holds, and nothing else.
  ///
  /// - Throws: ``ALSAError`` where it is none.
  init(file path: String) throws(ALSAError) {
    var (top, update): (OpaquePointer?, OpaquePointer?)
    let result = snd_config_update_r(&top, &update, path)
    if let update { snd_config_update_free(update) }
    guard result >= 0, let top else { throw .open(path, Errno(rawValue: -result)) }
    root = top
  }

  deinit { snd_config_unref(root) }

  /// Whether `name` is defined.
  func defines(_ name: PCMName) -> Bool {
    var found: OpaquePointer?
    return snd_config_search(root, "pcm.\(name.text.prefix { $0 != ":" })", &found) >= 0
  }

  /// Opens `name` for capturing.
  ///
  /// - Throws: ``ALSAError``: `badName` where anything would be opened that is no device.
  func open(_ name: PCMName) throws(ALSAError) -> OpaquePointer {
    try check(name)
    var opened: OpaquePointer?
    let result = snd_pcm_open_lconf(
      &opened, name.text, SND_PCM_STREAM_CAPTURE, Int32(SND_PCM_NONBLOCK), root)
    guard result >= 0, let opened else { throw .open(name.text, Errno(rawValue: -result)) }
    return opened
  }

  // MARK: What a name stands for

  /// The plugins that record from a device or a sound server, or hand on what another plugin records. Not among them:
  /// `file`, which `tee` is too, as it writes files and runs commands; `shm`, as it connects to any socket.
  private static let plugins: Set<String> = [
    "bluealsa", "dmix", "dshare", "dsnoop", "hw", "jack", "null", "oss", "pipewire", "pulse", "usb_stream",
    "adpcm", "alaw", "asym", "copy", "empty", "hooks", "iec958", "ladspa", "lfloat", "linear", "mmap_emul",
    "mulaw", "multi", "plug", "rate", "route", "share", "softvol", "speex",
  ]

  /// How many definitions a name may lead through: more lead round in a circle.
  private static let mostDefinitions = 64

  /// Refuses a name whose definition, or one that it leads to, is of another plugin.
  func check(_ name: PCMName) throws(ALSAError) {
    var walk = Walk(name: name.text, root: root)
    try walk.follow(name.text)
  }

  /// A walk through all that would be opened with a name.
  private struct Walk {
    let name: String
    let root: OpaquePointer
    var count = 0

    /// Follows what libasound finds by `text`, which may be of its own configuration.
    mutating func follow(_ text: String) throws(ALSAError) {
      let definition = try definition(of: text, in: "pcm")
      defer { snd_config_delete(definition) }
      try follow(definition)
    }

    /// Follows a name, or a definition that stands where a name could.
    mutating func follow(_ definition: OpaquePointer) throws(ALSAError) {
      count += 1
      guard count <= PCMConfiguration.mostDefinitions else {
        throw ALSAError(refusing: name, "leads round in a circle in ALSA's configuration. Mend it there.")
      }
      if let alias = Self.string(definition) { return try follow(alias) }
      guard let type = Self.child("type", of: definition).flatMap(Self.string) else {
        throw ALSAError.open(name, .invalidArgument)
      }
      guard PCMConfiguration.plugins.contains(type) else {
        throw ALSAError(
          refusing: name,
          "is not a microphone: in ALSA's configuration it is of the type \"\(type)\", and only devices and sound servers are opened."
        )
      }
      // Of the two sides of a device, only the one that records is opened.
      if type == "asym" {
        if let side = Self.child("capture", of: definition) { try followSlave(side) }
        return
      }
      if let slave = Self.child("slave", of: definition) { try followSlave(slave) }
      if let slaves = Self.child("slaves", of: definition), Self.string(slaves) == nil {
        for slave in Self.children(of: slaves) { try followSlave(slave) }
      }
    }

    /// Follows what a plugin records from: the name of a slave's definition, or one.
    private mutating func followSlave(_ slave: OpaquePointer) throws(ALSAError) {
      guard let alias = Self.string(slave) else {
        if let device = Self.child("pcm", of: slave) { try follow(device) }
        return
      }
      let definition = try definition(of: alias, in: "pcm_slave")
      defer { snd_config_delete(definition) }
      if let device = Self.child("pcm", of: definition) { try follow(device) }
    }

    private func definition(of text: String, in kind: String) throws(ALSAError) -> OpaquePointer {
      var found: OpaquePointer?
      let result = snd_config_search_definition(root, kind, text, &found)
      guard result >= 0, let found else { throw .open(name, Errno(rawValue: -result)) }
      return found
    }

    private static func string(_ node: OpaquePointer) -> String? {
      var text: UnsafePointer<CChar>?
      guard snd_config_get_string(node, &text) >= 0, let text else { return nil }
      return String(cString: text)
    }

    private static func child(_ key: String, of node: OpaquePointer) -> OpaquePointer? {
      guard snd_config_get_type(node) == SND_CONFIG_TYPE_COMPOUND else { return nil }
      return children(of: node).first { child in
        var id: UnsafePointer<CChar>?
        return snd_config_get_id(child, &id) >= 0 && id.map { String(cString: $0) } == key
      }
    }

    private static func children(of node: OpaquePointer) -> [OpaquePointer] {
      guard snd_config_get_type(node) == SND_CONFIG_TYPE_COMPOUND else { return [] }
      var children: [OpaquePointer] = []
      var next = snd_config_iterator_first(node)
      let end = snd_config_iterator_end(node)
      while let place = next, place != end {
        if let child = snd_config_iterator_entry(place) { children.append(child) }
        next = snd_config_iterator_next(place)
      }
      return children
    }
  }
}
