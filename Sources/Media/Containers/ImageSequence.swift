import FoundationEssentials
package import Platform
package import SystemPackage

/// Images that are named by their numbers, one a frame: `frames/%06d.png`.
///
/// A number that is missing is a lost frame.
package struct ImageSequence: Sendable {
  /// The images whose numbers follow one another, each part in order.
  let runs: [ClosedRange<Int>]
  let pattern: FilePath

  /// The images that `pattern` names.
  ///
  /// - Parameter pattern: a path whose last part has one `%d` or `%06d` where the number stands.
  /// - Throws: `noInput` where there are none, or one of them is no file; `badData`
  ///   where one is empty, or its number is too large; `noPermission` where one may not be read.
  package init(_ pattern: FilePath) throws(OvercrankError) {
    guard let name = Name(pattern) else {
      throw OvercrankError(.noInput, "\(pattern): has no number in its name. Write %d or %06d for it.")
    }
    let folder = pattern.lexicallyNormalized().removingLastComponent()
    let place = folder.isEmpty ? FilePath(".") : folder
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: place.string)
    } catch {
      throw OvercrankError(
        .noInput, "\(place): cannot be listed, so no image in it was found. Check the folder.")
    }
    if let image = names.first(where: name.isTooLarge) {
      throw OvercrankError(
        .badData,
        "\(pattern.named(image)): its number has more than \(Name.mostDigits) digits, and libav counts no further. "
          + "Give the images smaller numbers.")
    }
    let numbers = names.compactMap(name.number).sorted()
    guard !numbers.isEmpty else {
      throw OvercrankError(
        .noInput, "\(pattern): no image there has such a name. Check the folder and the digits.")
    }
    for number in numbers {
      let image = pattern.named(name.name(number))
      // libav would wait at a pipe for ever, and take an image that is empty or may not be read for the end.
      try OvercrankError.checkIsRegular(image)
      let isEmpty: Bool
      do {
        let file = try FileDescriptor.open(image, .readOnly, options: .closeOnExec)
        isEmpty = try file.closeAfter { try file.stat().size == 0 }
      } catch {
        throw OvercrankError.opening(image, error as? Errno ?? .ioError)
      }
      guard !isEmpty else {
        throw OvercrankError(
          .badData,
          "\(image): is empty. Make it again, or remove it: an image that is missing counts as a lost frame.")
      }
    }
    self.pattern = pattern
    runs = numbers.reduce(into: []) { runs, number in
      if let last = runs.last, last.upperBound + 1 == number {
        runs[runs.count - 1] = last.lowerBound...number
      } else {
        runs.append(number...number)
      }
    }
  }

  /// The numbers between the first image and the last for which there is none, in order.
  package var missing: [ClosedRange<Int>] {
    zip(runs, runs.dropFirst()).map { $0.upperBound + 1...$1.lowerBound - 1 }
  }

  /// Bytes in all images.
  package var byteCount: Int64 {
    guard let name = Name(pattern) else { return 0 }
    return runs.joined().reduce(0) { sum, number in
      sum + ((try? Stat(pattern.named(name.name(number)))).map { Int64($0.size) } ?? 0)
    }
  }

  /// The file of image `index` of those that are there, counted from 0; the pattern where there are fewer.
  package func path(ofImage index: Int) -> FilePath {
    var rest = index
    for run in runs {
      if rest < run.count {
        return Name(pattern).map { pattern.named($0.name(run.lowerBound + rest)) } ?? pattern
      }
      rest -= run.count
    }
    return pattern
  }

  /// The pattern in libav's words, to which each `%` is one.
  var libavPattern: String {
    let folder = pattern.removingLastComponent().string.replacing("%", with: "%%")
    let name = pattern.lastComponent?.string ?? ""
    return folder.isEmpty ? name : folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  /// Whether `path` names images by their numbers: no file has that very name.
  package static func isNamed(by path: FilePath) -> Bool { Name(path) != nil && !path.isThere }

  /// The pattern of most of the images in `folder`; `nil` where there are no two that differ by a number alone.
  package static func pattern(in folder: FilePath) -> FilePath? {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.string)) ?? []
    let patterns = names.reduce(into: [String: Int]()) { counts, name in
      for pattern in Name.patterns(of: name) { counts[pattern, default: 0] += 1 }
    }
    // Of numbers that all have as many digits, the one that says how many is clearer.
    let best = patterns.filter { $0.value > 1 }.max { ($0.value, $0.key.count) < ($1.value, $1.key.count) }
    return best.map { folder.appending($0.key) }
  }

  /// The pattern that `image` makes with others beside it; `nil` where it is no image, or the only one of its name.
  package static func pattern(of image: FilePath) -> FilePath? {
    guard let name = image.lastComponent?.string, case let own = Name.patterns(of: name), !own.isEmpty,
      let pattern = pattern(in: image.folder), own.contains(pattern.name)
    else { return nil }
    return image.removingLastComponent().appending(pattern.name)
  }

  /// Whether `path` is named as an image is.
  package static func isImage(_ path: FilePath) -> Bool {
    Name.extensions.contains(path.extension?.lowercased() ?? "")
  }

  /// What a clip of the images that `path` names is called, without an extension; `nil` where it names none.
  package static func stem(of path: FilePath) -> String? {
    guard isNamed(by: path), let name = Name(path) else { return nil }
    let words = name.prefix.trimmingSuffix { "-_. ".contains($0) }
    let folder = path.removingLastComponent().lastComponent?.string
    return words.isEmpty ? folder ?? "images" : String(words)
  }

  /// A file's name with a number in it.
  private struct Name {
    let prefix: String
    let suffix: String
    /// The least digits of the number.
    let digits: Int

    /// What images are called.
    static let extensions: Set = [
      "png", "jpg", "jpeg", "tif", "tiff", "bmp", "webp", "exr", "dpx", "pgm", "ppm", "pnm", "tga", "jp2",
    ]

    /// The patterns that an image of `name` may belong to, by the last number in it.
    static func patterns(of name: String) -> [String] {
      guard extensions.contains(FilePath(name).extension?.lowercased() ?? ""),
        let dot = name.lastIndex(of: "."),
        let last = name[..<dot].lastIndex(where: { $0.isASCII && $0.isNumber })
      else { return [] }
      let digits = name[...last].reversed().prefix { $0.isASCII && $0.isNumber }.count
      let start = name.index(last, offsetBy: 1 - digits)
      guard digits <= mostDigits, !name[..<start].contains("%") else { return [] }
      let widths = (digits > 1 ? ["0\(digits)"] : []) + (name[start] != "0" || digits == 1 ? [""] : [])
      return widths.map { name[..<start] + "%\($0)d" + name[name.index(after: last)...] }
    }

    /// libav counts images by 32 bits.
    static let mostDigits = 9

    init?(_ path: FilePath) {
      guard let name = path.lastComponent?.string, let start = name.firstIndex(of: "%") else { return nil }
      let rest = name[name.index(after: start)...]
      let width = rest.prefix { $0.isASCII && $0.isNumber }
      let behind = rest.dropFirst(width.count)
      guard behind.first == "d", !behind.dropFirst().contains("%") else { return nil }
      // `%6d` would be filled with blanks.
      guard width.isEmpty || width.count == 2 && width.first == "0", let digits = Int("0\(width)") else {
        return nil
      }
      prefix = String(name[..<start])
      suffix = String(behind.dropFirst())
      self.digits = max(1, digits)
    }

    /// Whether the number in `name` has more digits than are counted with.
    func isTooLarge(_ name: String) -> Bool {
      guard name.hasPrefix(prefix), name.hasSuffix(suffix), name.count > prefix.count + suffix.count else {
        return false
      }
      let digits = name.dropFirst(prefix.count).dropLast(suffix.count)
      return digits.utf8.allSatisfy { (48...57).contains($0) }
        && digits.drop { $0 == "0" }.count > Self.mostDigits
    }

    func number(_ name: String) -> Int? {
      guard name.hasPrefix(prefix), name.hasSuffix(suffix), name.count > prefix.count + suffix.count else {
        return nil
      }
      let digits = name.dropFirst(prefix.count).dropLast(suffix.count)
      guard digits.utf8.allSatisfy({ (48...57).contains($0) }), digits.count >= self.digits,
        digits.count == self.digits || digits.first != "0", digits.count <= Self.mostDigits
      else { return nil }
      return Int(digits)
    }

    func name(_ number: Int) -> String {
      let digits = String(number)
      return prefix + String(repeating: "0", count: max(0, self.digits - digits.count)) + digits + suffix
    }
  }
}

extension FilePath {
  /// The path of `name` in the same folder.
  fileprivate func named(_ name: String) -> FilePath { removingLastComponent().appending(name) }
}

extension String {
  /// Without the characters at the end that `matches`.
  fileprivate func trimmingSuffix(_ matches: (Character) -> Bool) -> Substring {
    var rest = self[...]
    while let last = rest.last, matches(last) { rest.removeLast() }
    return rest
  }
}
