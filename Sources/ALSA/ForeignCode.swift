internal import CALSA
import Synchronization

/// Takes out of libasound's configuration what would have it load a library or read another file in a lookup.
///
/// To libasound a configuration is a program: `@func` calls a function of any library, `@hooks` does so before
/// anything is looked up in its compound, `pcm_type` and its like say what the name of a plugin opens, `@func
/// refer` reads any file as a configuration, and braces in a name are a configuration of their own. What remains
/// are libasound's own functions, and the hooks with which it and its installed plugins complete the root and
/// `cards`.
enum ForeignCode {
  /// Where definitions of `pcm_type` are kept out of libasound's way.
  static let redefinitions = "pcm_type, refused"

  /// libasound's own tree is one for the whole process.
  private static let changing = Mutex(())

  /// Takes it out of the configuration at `root`, in which nothing has been looked up yet.
  static func remove(from root: OpaquePointer) {
    let root = ConfigurationNode(pointer: root)
    changing.withLock { _ in
      clean(root)
      // Hooks are called by the first lookup in their compound, and may add anything, also hooks.
      callHooks(by: "none", in: root)
      root.child("@hooks")?.delete()
      clean(root)
      callHooks(by: "cards.none", in: root)
      root.child("cards")?.child("@hooks")?.delete()
      clean(root)
    }
  }

  private static func callHooks(by name: String, in root: ConfigurationNode) {
    var found: OpaquePointer?
    if snd_config_search_definition(root.pointer, nil, name, &found) >= 0, let found {
      snd_config_delete(found)
    }
  }

  private static func clean(_ root: ConfigurationNode) {
    for child in root.children where child.id?.hasSuffix("_type") == true {
      if child.id != "pcm_type" || snd_config_set_id(child.pointer, redefinitions) < 0 { child.delete() }
    }
    let cards = root.child("cards")
    // Hooks look for functions in their own compound.
    for place in [root, cards].compactMap(\.self) {
      place.child("func")?.delete()
      guard let hooks = place.child("hook_func") else { continue }
      for hook in hooks.children where !isInstalled(hook) { hook.delete() }
      if !hooks.isCompound { hooks.delete() }
    }
    for child in root.children.filter({ $0.id != "cards" }) + (cards?.children ?? []) {
      removeCalls(in: child, areHooksCalled: true)
    }
  }

  /// Whether a hook's function is in one of the libraries that belong to ALSA's plugins, which their packages name so.
  private static func isInstalled(_ hook: ConfigurationNode) -> Bool {
    guard let library = hook.child("lib")?.string else { return false }
    return library.hasPrefix("libasound_module_conf_") && !library.contains("/")
  }

  /// - Parameter areHooksCalled: whether `node` is of a compound whose hooks are called, if it is these.
  private static func removeCalls(in node: ConfigurationNode, areHooksCalled: Bool = false) {
    if node.id == "@hooks", !areHooksCalled { return node.delete() }
    // The name of a slave with braces behind its colon.
    if node.string?.contains("{") == true { return node.delete() }
    if node.child("@func") != nil { node.child("file")?.delete() }
    for child in node.children { removeCalls(in: child) }
  }
}
