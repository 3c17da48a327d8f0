import FoundationEssentials
import Platform
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
  /// - Throws: ``MediaError/Code/noInput`` where there are none, or one of them is no file; ``MediaError/Code/badData``
  ///   where one is empty, or its number is too large; ``MediaError/Code/noPermission`` where one may not be read.
  package init(_ pattern: FilePath) throws(MediaError) {
    guard let name = Name(pattern) else {
      throw MediaError(.noInput, "\(pattern): has no number in its name. Write %d or %06d for it.")
    }
    let folder = pattern.lexicallyNormalized().removingLastComponent()
    let place = folder.isEmpty ? FilePath(".") : folder
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: place.string)
    } catch {
      throw MediaError(.noInput, "\(place): cannot be listed, so no image in it was found. Check the folder.")
    }
    if let image = names.first(where: name.isTooLarge) {
      throw MediaError(
        .badData,
        "\(pattern.named(image)): its number has more than \(Name.mostDigits) digits, and libav counts no further. "
          + "Give the images smaller numbers.")
    }
    let numbers = names.compactMap(name.number).sorted()
    guard !numbers.isEmpty else {
      throw MediaError(
        .noInput, "\(pattern): no image there has such a name. Check the folder and the digits.")
    }
    for number in numbers {
      let image = pattern.named(name.name(number))
      // libav would wait at a pipe for ever, and take an image that is empty or may not be read for the end.
      try MediaError.checkIsRegular(image)
      let isEmpty: Bool
      do {
        let file = try FileDescriptor.open(image, .readOnly, options: .closeOnExec)
        isEmpty = try file.closeAfter { try file.stat().size == 0 }
      } catch {
        throw MediaError(.opening(image, error as? Errno ?? .ioError))
      }
      guard !isEmpty else {
        throw MediaError(
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

  /// The file of image `index` of those that are there, counted from 0; the pattern where there are fewer.
  func path(ofImage index: Int) -> FilePath {
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
