internal import CALSA

/// A node of libasound's configuration: a value, or a compound of other nodes.
///
/// Valid as long as the tree that it is of is unchanged around it.
struct ConfigurationNode {
  let pointer: OpaquePointer

  /// Its name in the compound that it is of; `nil` for a root.
  var id: String? {
    var id: UnsafePointer<CChar>?
    return snd_config_get_id(pointer, &id) >= 0 ? id.map { String(cString: $0) } : nil
  }

  /// The text that it is; `nil` where it is none.
  var string: String? {
    var text: UnsafePointer<CChar>?
    guard snd_config_get_string(pointer, &text) >= 0, let text else { return nil }
    return String(cString: text)
  }

  /// Whether other nodes may be in it.
  var isCompound: Bool { snd_config_get_type(pointer) == SND_CONFIG_TYPE_COMPOUND }

  /// The nodes in it.
  var children: [ConfigurationNode] {
    guard isCompound else { return [] }
    var children: [ConfigurationNode] = []
    var next = snd_config_iterator_first(pointer)
    let end = snd_config_iterator_end(pointer)
    while let place = next, place != end {
      if let child = snd_config_iterator_entry(place) { children.append(ConfigurationNode(pointer: child)) }
      next = snd_config_iterator_next(place)
    }
    return children
  }

  /// The node of this name in it.
  func child(_ id: String) -> ConfigurationNode? { children.first { $0.id == id } }

  /// Takes the node out of its tree, and frees it.
  func delete() { snd_config_delete(pointer) }
}
