internal import CALSA
import Glibc
import SystemPackage

/// libasound's configuration: the meaning of devices' names on this machine and for this user.
///
/// It is read once, and a device is opened with the configuration that was checked. Neither loads a library
/// that a definition names: see ``ForeignCode``.
struct PCMConfiguration: ~Copyable {
  private let root: OpaquePointer

  /// Reads the configuration of this machine and user.
  ///
  /// - Throws: `ALSAError`, which names `device` as the one to open.
  init(for device: String) throws(ALSAError) {
    var top: OpaquePointer?
    let result = snd_config_update_ref(&top)
    guard result >= 0, let top else { throw .open(device, Errno(rawValue: -result)) }
    ForeignCode.remove(from: top)
    root = top
  }

  /// Reads only the configuration in the file at `path`.
  ///
  /// - Throws: `ALSAError` if it is not one.
  init(file path: String) throws(ALSAError) {
    var (top, update): (OpaquePointer?, OpaquePointer?)
    let result = snd_config_update_r(&top, &update, path)
    if let update { snd_config_update_free(update) }
    guard result >= 0, let top else { throw .open(path, Errno(rawValue: -result)) }
    ForeignCode.remove(from: top)
    root = top
  }

  deinit { snd_config_unref(root) }

  /// Returns whether `name` is defined.
  func defines(_ name: PCMName) -> Bool {
    var found: OpaquePointer?
    return snd_config_search(root, "pcm.\(name.text.prefix { $0 != ":" })", &found) >= 0
  }

  /// Opens `name` for capture.
  ///
  /// - Throws: `ALSAError`: `badName` if that would open anything but a device.
  func open(_ name: PCMName) throws(ALSAError) -> OpaquePointer {
    try check(name)
    var opened: OpaquePointer?
    let result = snd_pcm_open_lconf(
      &opened, name.text, SND_PCM_STREAM_CAPTURE, Int32(SND_PCM_NONBLOCK), root)
    guard result >= 0, let opened else { throw .open(name.text, Errno(rawValue: -result)) }
    return opened
  }

  // MARK: What a name stands for

  /// The plugins that record from a device or a sound server, or pass on what another plugin records.
  /// Excluded are `file` (which includes `tee`), as it writes files and runs commands; `ladspa`, as it loads
  /// any library; `shm`, as it connects to any socket; `share`, as it opens its slave by a name of its own;
  /// `null`, as it hears nothing.
  private static let plugins: Set<String> = [
    "bluealsa", "dmix", "dshare", "dsnoop", "hw", "jack", "oss", "pipewire", "pulse", "usb_stream",
    "adpcm", "alaw", "asym", "copy", "empty", "hooks", "iec958", "lfloat", "linear", "mmap_emul",
    "mulaw", "multi", "plug", "rate", "route", "softvol", "speex",
  ]

  /// The most definitions that a name may lead through: more are a cycle.
  private static let mostDefinitions = 64

  /// Refuses a name whose definition, or one that it leads to, uses another plugin, or makes one load
  /// anything else.
  func check(_ name: PCMName) throws(ALSAError) {
    var walk = Walk(name: name.text, root: ConfigurationNode(pointer: root))
    try walk.follow(name.text)
  }

  /// A walk through all that opening a name would open.
  private struct Walk {
    let name: String
    let root: ConfigurationNode
    var count = 0

    /// Follows what libasound finds for `text`, possibly in its own configuration.
    mutating func follow(_ text: String) throws(ALSAError) {
      let definition = try definition(of: text, in: "pcm")
      defer { definition.delete() }
      try follow(definition)
    }

    /// Follows a name, or a definition in place of a name.
    mutating func follow(_ definition: ConfigurationNode) throws(ALSAError) {
      count += 1
      guard count <= PCMConfiguration.mostDefinitions else {
        throw ALSAError(refusing: name, "is defined by itself in ALSA's configuration. Correct it there.")
      }
      if let alias = definition.string { return try follow(alias) }
      guard let type = definition.child("type")?.string else { throw ALSAError.open(name, .invalidArgument) }
      try check(type, definition)
      // Of the two sides of a device, only the one for capture is opened.
      if type == "asym" {
        guard let side = definition.child("capture") else { throw ALSAError.open(name, .invalidArgument) }
        return try followSlave(side)
      }
      if let slave = definition.child("slave") { try followSlave(slave) }
      for slave in definition.child("slaves")?.children ?? [] { try followSlave(slave) }
    }

    /// Refuses a definition that does not open a device itself, or opens more than that.
    private func check(_ type: String, _ definition: ConfigurationNode) throws(ALSAError) {
      guard PCMConfiguration.plugins.contains(type) else {
        throw ALSAError(
          refusing: name,
          "is not a microphone: in ALSA's configuration it is of the type \"\(type)\", and only devices and sound servers are opened."
        )
      }
      guard root.child(ForeignCode.redefinitions)?.child(type) == nil else {
        throw ALSAError(
          refusing: name,
          "is of the type \"\(type)\", which ALSA's configuration redefines (pcm_type.\(type)); such types are not opened."
        )
      }
      let hooks = definition.child("hooks")?.children ?? []
      // These hooks set controls of the card, as some cards require. All others are code.
      guard type != "hooks" || hooks.allSatisfy({ $0.child("type")?.string == "ctl_elems" }) else {
        throw ALSAError(
          refusing: name, "calls a hook in ALSA's configuration, and only ctl_elems are called.")
      }
      guard type != "plug" && type != "rate" || converters(of: definition).allSatisfy({ !$0.contains("/") })
      else { throw ALSAError(refusing: name, "names a file as its rate converter in ALSA's configuration.") }
    }

    /// Returns the rate converters that a plugin may load; libasound turns each into the name of a library.
    private func converters(of definition: ConfigurationNode) -> [String] {
      let usual = root.child("defaults")?.child("pcm")?.child("rate_converter")
      let nodes = [definition.child("converter"), definition.child("rate_converter"), usual].compactMap(
        \.self)
      return (nodes + nodes.flatMap(\.children)).compactMap(\.string)
    }

    /// Follows the source of a plugin: a slave's definition, or its name.
    private mutating func followSlave(_ slave: ConfigurationNode) throws(ALSAError) {
      guard let alias = slave.string else {
        if let device = slave.child("pcm") { try follow(device) }
        return
      }
      let definition = try definition(of: alias, in: "pcm_slave")
      defer { definition.delete() }
      if let device = definition.child("pcm") { try follow(device) }
    }

    private func definition(of text: String, in kind: String) throws(ALSAError) -> ConfigurationNode {
      var found: OpaquePointer?
      let result = snd_config_search_definition(root.pointer, kind, text, &found)
      if result == -ENXIO {
        throw ALSAError(
          refusing: name,
          "leads to a function in ALSA's configuration that is not libasound's own; none is loaded.")
      }
      guard result >= 0, let found else { throw .open(name, Errno(rawValue: -result)) }
      return ConfigurationNode(pointer: found)
    }
  }
}
