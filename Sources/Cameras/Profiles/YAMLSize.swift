internal import CYaml

/// The size of a YAML text with each alias replaced by all that it stands for.
///
/// A few lines of aliases to aliases can expand to more values than fit into memory, and Yams compares their
/// keys one by one. Therefore the text is counted, event by event, before it is composed.
enum YAMLSize {
  /// Returns the most values that a text of `bytes` bytes may expand to: more than any text without aliases
  /// has.
  static func limit(bytes: Int) -> Int { 100_000 + 2 * bytes }

  /// Returns the number of values and keys in `yaml`, or `nil` if it exceeds `limit`.
  ///
  /// If the text is not valid YAML, those before the fault are counted.
  static func count(_ yaml: String, limit: Int) -> Int? {
    var yaml = yaml
    return yaml.withUTF8 { bytes in
      var parser = yaml_parser_t()
      guard yaml_parser_initialize(&parser) == 1 else { return nil }
      defer { yaml_parser_delete(&parser) }
      yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING)
      yaml_parser_set_input_string(&parser, bytes.baseAddress, bytes.count)
      var count = Counter()
      while true {
        var event = yaml_event_t()
        guard yaml_parser_parse(&parser, &event) == 1 else { return count.total }
        defer { yaml_event_delete(&event) }
        guard event.type != YAML_STREAM_END_EVENT else { return count.total }
        count.enter(event)
        guard count.total <= limit else { return nil }
      }
    }
  }

  private struct Counter {
    private(set) var total = 0
    /// The number of values that each anchor stands for.
    private var sizes: [String: Int] = [:]
    /// The lists and maps that have begun and not ended.
    private var open: [(anchor: String?, start: Int)] = []

    mutating func enter(_ event: yaml_event_t) {
      switch event.type {
      case YAML_SCALAR_EVENT:
        total += 1
        note(Self.text(event.data.scalar.anchor), 1)
      case YAML_ALIAS_EVENT: total += Self.text(event.data.alias.anchor).flatMap { sizes[$0] } ?? 0
      case YAML_SEQUENCE_START_EVENT: begin(Self.text(event.data.sequence_start.anchor))
      case YAML_MAPPING_START_EVENT: begin(Self.text(event.data.mapping_start.anchor))
      case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT:
        if let (anchor, start) = open.popLast() { note(anchor, total - start) }
      default: break
      }
    }

    private mutating func begin(_ anchor: String?) {
      open.append((anchor, total))
      total += 1
    }

    private mutating func note(_ anchor: String?, _ size: Int) {
      if let anchor { sizes[anchor] = size }
    }

    private static func text(_ bytes: UnsafeMutablePointer<yaml_char_t>?) -> String? {
      bytes.map { String(cString: $0) }
    }
  }
}
