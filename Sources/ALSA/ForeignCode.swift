internal import CALSA
import Synchronization

/// A filter that removes from libasound's configuration what would load a library or read another file in a
/// lookup.
///
/// To libasound a configuration is a program: `@func` calls a function of any library, `@hooks` does so
/// before anything is looked up in its compound, `pcm_type` and the like define what the name of a plugin
/// opens, `@func refer` reads any file as a configuration, and braces in a name are a configuration of their
/// own. The filter keeps libasound's own functions, and the hooks with which it and its installed plugins
/// complete the root and `cards`.
enum ForeignCode {
  /// The name under which definitions of `pcm_type` are kept, out of libasound's way.
  static let redefinitions = "pcm_type, refused"

  /// A lock for libasound's own tree, which is shared by the whole process.
  private static let changing = Mutex(())

  /// Filters the configuration at `root`, in which nothing has been looked up yet.
  static func remove(from root: OpaquePointer) {
    let root = ConfigurationNode(pointer: root)
    changing.withLock { _ in
      clean(root)
      for hook in root.child("@hooks")?.children ?? []
      where hook.child("func")?.string == "load_for_all_cards" && !readsSystemFiles(hook) { hook.delete() }
      callHooks(of: root, by: "none", in: root)
      guard let cards = root.child("cards") else { return }
      for hook in cards.child("@hooks")?.children ?? [] where !readsSystemFiles(hook) { hook.delete() }
      callHooks(of: cards, by: "cards.none", in: root)
    }
  }

  /// Calls the hooks of `place` one at a time, by a lookup of `name`: each may add code for the next, and
  /// hooks of its own, which are not called.
  private static func callHooks(of place: ConfigurationNode, by name: String, in root: ConfigurationNode) {
    guard let hooks = place.child("@hooks") else { return }
    snd_config_remove(hooks.pointer)
    defer { hooks.delete() }
    for hook in hooks.children.sorted(by: { ($0.id.flatMap(Int.init) ?? 0) < ($1.id.flatMap(Int.init) ?? 0) })
    {
      var alone: OpaquePointer?
      guard snd_config_make_compound(&alone, "@hooks", 0) >= 0, let alone else { continue }
      snd_config_remove(hook.pointer)
      snd_config_set_id(hook.pointer, "0")
      snd_config_add(alone, hook.pointer)
      snd_config_add(place.pointer, alone)
      var found: OpaquePointer?
      if snd_config_search_definition(root.pointer, nil, name, &found) >= 0, let found {
        snd_config_delete(found)
      }
      place.child("@hooks")?.delete()
      clean(root)
    }
  }

  /// Returns whether all files that a hook reads are the system's. A hook that reads a file for each card
  /// looks for functions again between one card and the next.
  private static func readsSystemFiles(_ hook: ConfigurationNode) -> Bool {
    (hook.child("files")?.children ?? []).allSatisfy { file in
      let file = file.child("file") ?? file
      let parts = file.child("@func")?.string == "concat" ? file.child("strings")?.children ?? [] : [file]
      guard let first = parts.first(where: { $0.id == "0" }) ?? parts.first else { return false }
      let isInFolder =
        first.child("@func")?.string == "datadir"
        || ["/usr/", "/etc/", "/var/lib/alsa/"].contains { first.string?.hasPrefix($0) == true }
      return isInFolder && parts.allSatisfy { $0.string?.contains("..") != true }
    }
  }

  private static func clean(_ root: ConfigurationNode) {
    for child in root.children where child.id?.hasSuffix("_type") == true {
      if child.id != "pcm_type" || snd_config_set_id(child.pointer, redefinitions) < 0 { child.delete() }
    }
    let cards = root.child("cards")
    // Hooks look up functions in their own compound.
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

  /// Returns whether a hook's function is in a library of ALSA's plugins, by the prefixes that their packages
  /// use. Without the function's prefix the name could mean one of libasound's own, which plugins link.
  private static func isInstalled(_ hook: ConfigurationNode) -> Bool {
    guard let library = hook.child("lib")?.string, let function = hook.child("func")?.string else {
      return false
    }
    return library.hasPrefix("libasound_module_conf_") && !library.contains("/")
      && function.hasPrefix("conf_")
  }

  /// - Parameter areHooksCalled: whether `node` is in a compound whose hooks are called, if it is the hooks
  ///   themselves.
  private static func removeCalls(in node: ConfigurationNode, areHooksCalled: Bool = false) {
    if node.id == "@hooks", !areHooksCalled { return node.delete() }
    // The name of a slave with a configuration in braces after its colon.
    if node.string?.contains("{") == true { return node.delete() }
    if node.child("@func") != nil { node.child("file")?.delete() }
    for child in node.children { removeCalls(in: child) }
  }
}
