internal import CALSA

/// A node of libasound's configuration: a value, or a compound of other nodes.
///
/// Valid as long as the tree around it is unchanged.
struct ConfigurationNode {
  let pointer: OpaquePointer

  /// Its name in its compound; `nil` for a root.
  var id: String? {
    var id: UnsafePointer<CChar>?
    return snd_config_get_id(pointer, &id) >= 0 ? id.map { String(cString: $0) } : nil
  }

  /// Its text; `nil` if it is not text.
  var string: String? {
    var text: UnsafePointer<CChar>?
    guard snd_config_get_string(pointer, &text) >= 0, let text else { return nil }
    return String(cString: text)
  }

  /// Whether it can contain other nodes.
  var isCompound: Bool { snd_config_get_type(pointer) == SND_CONFIG_TYPE_COMPOUND }

  /// The nodes that it contains.
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

  /// Returns the contained node with this name; `nil` if there is none.
  func child(_ id: String) -> ConfigurationNode? { children.first { $0.id == id } }

  /// Removes the node from its tree, and frees it.
  func delete() { snd_config_delete(pointer) }
}
