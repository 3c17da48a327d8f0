import FoundationEssentials
package import Platform
package import SystemPackage

/// Images named by number, one per frame: `frames/%06d.png`.
///
/// A missing number is a lost frame.
package struct ImageSequence: Sendable {
  /// The ranges of consecutive numbers, in order.
  let runs: [ClosedRange<Int>]
  let pattern: FilePath

  /// Finds the images that `pattern` names.
  ///
  /// - Parameter pattern: a path whose last part has one `%d` or `%06d` in place of the number.
  /// - Throws: `noInput` if there are none, or one is not a regular file; `badData` if one is empty, or its
  ///   number is too large; `noPermission` if one may not be read.
  package init(_ pattern: FilePath) throws(OvercrankError) {
    guard let name = Name(pattern) else {
      throw OvercrankError(.noInput, "\(pattern): has no number in its name. Write the number as %d or %06d.")
    }
    let folder = pattern.lexicallyNormalized().removingLastComponent()
    let place = folder.isEmpty ? FilePath(".") : folder
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: place.string)
    } catch {
      throw OvercrankError(
        .noInput, "\(place): cannot be listed, so its images were not found. Check the folder.")
    }
    if let image = names.first(where: name.isTooLarge) {
      throw OvercrankError(
        .badData,
        "\(pattern.named(image)): its number has more than \(Name.mostDigits) digits, more than libav can "
          + "count. Give the images smaller numbers.")
    }
    let numbers = names.compactMap(name.number).sorted()
    guard !numbers.isEmpty else {
      throw OvercrankError(
        .noInput, "\(pattern): no image matches this pattern. Check the folder and the digits.")
    }
    for number in numbers {
      let image = pattern.named(name.name(number))
      // libav would wait at a pipe for ever, and treat an empty or unreadable image as the end.
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
          "\(image): is empty. Make it again, or remove it: a missing image counts as a lost frame.")
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

  /// The missing numbers between the first image and the last, in order.
  package var missing: [ClosedRange<Int>] {
    zip(runs, runs.dropFirst()).map { $0.upperBound + 1...$1.lowerBound - 1 }
  }

  /// The size of all images in bytes.
  package var byteCount: Int64 {
    guard let name = Name(pattern) else { return 0 }
    return runs.joined().reduce(0) { sum, number in
      sum + ((try? Stat(pattern.named(name.name(number)))).map { Int64($0.size) } ?? 0)
    }
  }

  /// The paths of all images.
  package var paths: [FilePath] {
    guard let name = Name(pattern) else { return [] }
    return runs.joined().map { pattern.named(name.name($0)) }
  }

  /// Returns the path of existing image `index`, counted from 0; the pattern if there are fewer.
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

  /// The pattern in libav's syntax, in which `%%` stands for `%`.
  var libavPattern: String {
    let folder = pattern.removingLastComponent().string.replacing("%", with: "%%")
    let name = pattern.lastComponent?.string ?? ""
    return folder.isEmpty ? name : folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  /// Returns whether `path` is a pattern of numbered images, and no file has that name itself.
  package static func isNamed(by path: FilePath) -> Bool { Name(path) != nil && !path.exists }

  /// Returns the pattern of most of the images in `folder`; `nil` if no two differ only by a number.
  package static func pattern(in folder: FilePath) -> FilePath? {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.string)) ?? []
    let patterns = names.reduce(into: [String: Int]()) { counts, name in
      for pattern in Name.patterns(of: name) { counts[pattern, default: 0] += 1 }
    }
    // If all numbers have the same number of digits, the pattern that states it is clearer.
    let best = patterns.filter { $0.value > 1 }.max { ($0.value, $0.key.count) < ($1.value, $1.key.count) }
    return best.map { folder.appending($0.key) }
  }

  /// Returns the pattern that `image` shares with others beside it; `nil` if it is not an image, or the only
  /// one.
  package static func pattern(of image: FilePath) -> FilePath? {
    guard let name = image.lastComponent?.string, case let own = Name.patterns(of: name), !own.isEmpty,
      let pattern = pattern(in: image.folder), own.contains(pattern.name)
    else { return nil }
    return image.removingLastComponent().appending(pattern.name)
  }

  /// Returns whether `path` has an image's extension.
  package static func isImage(_ path: FilePath) -> Bool {
    Name.extensions.contains(path.extension?.lowercased() ?? "")
  }

  /// Returns the name, without an extension, of a clip of the images at `path`; `nil` if it names none.
  package static func stem(of path: FilePath) -> String? {
    guard isNamed(by: path), let name = Name(path) else { return nil }
    let words = name.prefix.trimmingSuffix { "-_. ".contains($0) }
    let folder = path.removingLastComponent().lastComponent?.string
    return words.isEmpty ? folder ?? "images" : String(words)
  }

  /// A file name with a number in it.
  private struct Name {
    let prefix: String
    let suffix: String
    /// The smallest number of digits.
    let digits: Int

    /// The extensions of images.
    static let extensions: Set = [
      "png", "jpg", "jpeg", "tif", "tiff", "bmp", "webp", "exr", "dpx", "pgm", "ppm", "pnm", "tga", "jp2",
    ]

    /// Returns the patterns that an image of `name` may belong to, by the last number in it.
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

    /// libav counts images in 32 bits.
    static let mostDigits = 9

    init?(_ path: FilePath) {
      guard let name = path.lastComponent?.string, let start = name.firstIndex(of: "%") else { return nil }
      let rest = name[name.index(after: start)...]
      let width = rest.prefix { $0.isASCII && $0.isNumber }
      let behind = rest.dropFirst(width.count)
      guard behind.first == "d", !behind.dropFirst().contains("%") else { return nil }
      // `%6d` would be padded with spaces.
      guard width.isEmpty || width.count == 2 && width.first == "0", let digits = Int("0\(width)") else {
        return nil
      }
      prefix = String(name[..<start])
      suffix = String(behind.dropFirst())
      self.digits = max(1, digits)
    }

    /// Returns whether the number in `name` has more digits than are supported.
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
  /// Returns the path of `name` in the same folder.
  fileprivate func named(_ name: String) -> FilePath { removingLastComponent().appending(name) }
}

extension String {
  /// Returns the string without the characters at its end that satisfy `matches`.
  fileprivate func trimmingSuffix(_ matches: (Character) -> Bool) -> Substring {
    var rest = self[...]
    while let last = rest.last, matches(last) { rest.removeLast() }
    return rest
  }
}
