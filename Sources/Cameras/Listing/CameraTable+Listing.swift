public import Platform
public import CameraModel
public import SystemPackage

extension CameraTable {
  /// Reads a table from a file's bytes: JSON if they begin with a brace, else v4l2-ctl's output.
  ///
  /// - Parameters:
  ///   - name: the file's name, for messages.
  ///   - node: the device to read from a text of several, such as `/dev/video2`.
  /// - Throws: `OvercrankError` with code `badData` if they are not a table.
  public init(contents: some Collection<UInt8>, named name: String, node: FilePath? = nil)
    throws(OvercrankError)
  {
    let isBlank: (UInt8) -> Bool = { [0x20, 0x09, 0x0a, 0x0d].contains($0) }
    guard contents.first(where: { !isBlank($0) }) == UInt8(ascii: "{") else {
      self = try CameraTable(listing: String(decoding: contents, as: UTF8.self), named: name, node: node)
      return
    }
    guard node == nil else {
      throw OvercrankError(
        .badName, "\(name) is the JSON table of one camera; give it without a camera's name.")
    }
    self = try CameraTable(json: contents, named: name)
  }

  /// Reads a table from the output of `v4l2-ctl --list-formats-ext`, in the form of any of its versions.
  ///
  /// Text around the list is ignored. A text of several devices gives the rows of all of them, with a
  /// warning, unless `node` names one. Times and rates are printed with three decimals: each becomes the
  /// usual fraction that prints so. What v4l2-ctl does not print is reported as a warning: the rates at a
  /// range of sizes, and in older versions the sizes of a continuous range.
  ///
  /// - Parameters:
  ///   - name: the text's name, for messages.
  ///   - node: the device to read, such as `/dev/video2`.
  /// - Throws: `OvercrankError` with code `badData` if the text holds no list, or a line of it cannot be
  ///   read.
  public init(listing text: String, named name: String, node: FilePath? = nil) throws(OvercrankError) {
    let listing: Listing
    do {
      listing = try Listing(text)
    } catch {
      throw OvercrankError(
        .badData,
        "\(name), line \(error.number): \"\(error.text.excerpt)\" is not a valid line of a list of formats."
      )
    }
    guard !listing.sections.isEmpty else {
      let first = text.split(whereSeparator: \.isNewline).first { !$0.allSatisfy(\.isWhitespace) }
      let found = first.map { "begins with \"\(String($0).excerpt)\" and lists no formats" } ?? "is empty"
      throw OvercrankError(
        .badData,
        "\(name) is not a camera table: it \(found). A table is the JSON of a camera's modes, or the text that \"v4l2-ctl --list-formats-ext\" prints.",
        remedy: .giveTable)
    }
    let sections = node.map { node in listing.sections.filter { $0.node == node } } ?? listing.sections
    guard let only = sections.first else {
      let nodes = listing.sections.compactMap(\.node)
      throw OvercrankError(
        .badData,
        "\(name) lists no \(node?.string ?? "device"): "
          + (nodes.isEmpty
            ? "it lists no device by name." : "it lists \(nodes.map(\.string).joined(separator: ", "))."))
    }
    self.init(rows: sections.flatMap(\.rows))
    if sections.count == 1 {
      card = only.facts[.card]
      driver = only.facts[.driver]
      bus = only.facts[.bus]
      isMultiplanar = only.type.map { $0.hasSuffix("Multiplanar") }
    } else {
      warnings.append("\(name) lists \(sections.count) devices; their modes are combined.")
    }
    for section in sections { warnings += section.warnings(in: name) }
  }
}

extension Listing.Section {
  /// Returns warnings about what the text leaves out of this device's table.
  fileprivate func warnings(in name: String) -> [String] {
    if let type, !isCapture {
      return ["\(name): formats of type \"\(type)\" are skipped: they are not pictures."]
    }
    var warnings: [String] = []
    if !sizeless.isEmpty {
      warnings.append(
        "\(name) has no frame sizes for \(sizeless.summary): v4l2-ctl prints none if the driver lists none, and older versions print none for a continuous range."
      )
    }
    let rateless = rows.filter { SizeRange($0.size) != nil && !$0.listsIntervals }.map(\.fourcc)
    if !rateless.isEmpty {
      warnings.append(
        "\(name) has no rates for \(rateless.summary): v4l2-ctl prints none for a range of sizes, even if the driver lists some."
      )
    }
    return warnings
  }
}

extension [String] {
  /// The first few, quoted, and the number of the others.
  fileprivate var summary: String {
    let few = prefix(4).map { "'\($0)'" }.joined(separator: ", ")
    return count > 4 ? "\(few) and \(count - 4) more formats" : few
  }
}

extension String {
  /// Its beginning, without line breaks, for a message.
  fileprivate var excerpt: String {
    let visible = String(
      map { $0.isWhitespace || $0.isASCII && $0.asciiValue ?? 0 < 0x20 ? " " : $0 }.drop { $0 == " " })
    return visible.count > 60 ? visible.prefix(60) + "..." : visible
  }
}
