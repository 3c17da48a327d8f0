import CLinux
import CameraModel
import FoundationEssentials
import Glibc
package import Platform
import SystemPackage
public import Timebase

/// A line of a GPIO chip, as a user writes it: `gpiochip0:17`, `/dev/gpiochip0:17`, `pinctrl-bcm2711:GPIO17`.
public struct GPIOLine: Hashable, Sendable {
  /// The chip: a node, its name, or its label.
  public let chip: String
  /// The line: its number or its name.
  public let line: String

  /// Reads a chip and a line.
  ///
  /// - Throws: `QuantityError` if one of them is missing.
  public init(text: String) throws(QuantityError) {
    // The label of a chip may contain colons.
    guard let colon = text.lastIndex(of: ":"), colon > text.startIndex,
      text.index(after: colon) < text.endIndex,
      text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else {
      throw QuantityError(
        text, expected: "a GPIO chip and a line, such as gpiochip0:17; \"gpioinfo\" lists them")
    }
    chip = String(text[..<colon])
    line = String(text[text.index(after: colon)...])
  }
}

extension GPIOLine: CustomStringConvertible {
  /// The line as text that ``init(text:)`` reads.
  public var description: String { "\(chip):\(line)" }
}

extension GPIOLine {
  /// A use of a line.
  package enum Use: Hashable, Sendable {
    /// Its rising or falling edges are reported.
    case edges(falling: Bool)
    /// It is an output, low at first.
    case output
  }

  /// A line that this program uses; it is released with this object.
  package final class Request: Sendable {
    package let descriptor: Int32

    fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }
  }

  /// Requests the line from the kernel.
  ///
  /// - Throws: `OvercrankError` if there is no such chip or line, another program uses it, or this user may
  ///   not.
  package func request(for use: Use) throws(OvercrankError) -> Request {
    let chip = try openChip()
    defer { close(chip.descriptor) }
    let offset = try self.offset(in: chip)
    let descriptor =
      switch use {
      case .edges(let falling): clinux_watch_gpio_line(chip.descriptor, offset, falling ? 1 : 0)
      case .output: clinux_drive_gpio_line(chip.descriptor, offset)
      }
    guard descriptor < 0 else { return Request(descriptor) }
    throw refusal(Errno(rawValue: -descriptor), of: offset, in: chip, for: use)
  }

  private struct Chip {
    var descriptor: Int32
    var path: FilePath
    var facts: clinux_gpio_chip
  }

  private static let nodePrefix = "gpiochip"

  /// The node of the chip; `nil` if its label is given.
  private var node: FilePath? {
    if chip.hasPrefix("/") { return FilePath(chip) }
    let number = chip.hasPrefix(Self.nodePrefix) ? chip.dropFirst(Self.nodePrefix.count) : chip[...]
    return UInt32(number).map { FilePath("/dev/\(Self.nodePrefix)\($0)") }
  }

  /// The nodes of all chips.
  private static var nodes: [FilePath] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/dev")) ?? []
    return names.filter { $0.hasPrefix(nodePrefix) }.sorted().map { FilePath("/dev/\($0)") }
  }

  private func openChip() throws(OvercrankError) -> Chip {
    var failure: OvercrankError?
    for path in node.map({ [$0] }) ?? Self.nodes {
      var facts = clinux_gpio_chip()
      let descriptor = path.withPlatformString { clinux_open_gpio_chip($0, &facts) }
      guard descriptor >= 0 else {
        failure = failure ?? error(Errno(rawValue: -descriptor), at: path)
        continue
      }
      if node != nil || Self.text(&facts.label) == chip {
        return Chip(descriptor: descriptor, path: path, facts: facts)
      }
      close(descriptor)
    }
    throw failure
      ?? OvercrankError(
        .noDevice,
        "\(chip): there is no GPIO chip with this name or label. \"gpiodetect\" lists the chips of this "
          + "machine.", subject: chip)
  }

  private func error(_ answer: Errno, at path: FilePath) -> OvercrankError {
    let (code, words): (OvercrankError.Code, String) =
      switch answer {
      case .noSuchFileOrDirectory, .operationNotSupportedByDevice, .noSuchAddressOrDevice:
        (.noDevice, "there is no such GPIO chip. \"gpiodetect\" lists the chips of this machine.")
      case .permissionDenied, .notPermitted:
        (
          .noPermission,
          "you may not use this GPIO chip: \(answer.inWords). Add yourself to its group with "
            + "\"sudo usermod -aG gpio $USER\", and log in again; \"ls -l \(path)\" shows the group."
        )
      case .inappropriateIOCTLForDevice, .isDirectory, .invalidArgument:
        (.noDevice, "is not a GPIO chip. \"gpiodetect\" lists the chips of this machine.")
      default:
        (.failed, "the GPIO chip cannot be opened: \(answer.inWords). \(answer.remedy ?? "See \"dmesg\".")")
      }
    return OvercrankError(code, "\(path): \(words)", cause: answer, subject: path.string)
  }

  /// Returns the number of the line.
  private func offset(in chip: Chip) throws(OvercrankError) -> UInt32 {
    if let number = UInt32(line) {
      guard number < chip.facts.lines else {
        throw OvercrankError(
          .noDevice,
          "\(chip.path): this GPIO chip has no line \(number); its lines are 0 to "
            + "\(chip.facts.lines == 0 ? 0 : chip.facts.lines - 1).", subject: chip.path.string)
      }
      return number
    }
    for number in 0..<chip.facts.lines {
      var facts = clinux_gpio_line()
      if clinux_describe_gpio_line(chip.descriptor, number, &facts) == 0, Self.text(&facts.name) == line {
        return number
      }
    }
    throw OvercrankError(
      .noDevice,
      "\(chip.path): this GPIO chip has no line with the name \(line). \"gpioinfo\" lists its lines.",
      subject: chip.path.string)
  }

  private func refusal(_ answer: Errno, of offset: UInt32, in chip: Chip, for use: Use) -> OvercrankError {
    let name = "\(chip.path): line \(offset)"
    let (code, words): (OvercrankError.Code, String)
    switch answer {
    case .resourceBusy:
      var facts = clinux_gpio_line()
      _ = clinux_describe_gpio_line(chip.descriptor, offset, &facts)
      let user = Self.text(&facts.consumer)
      (code, words) = (
        .busy,
        "is in use\(user.isEmpty ? "" : " by \"\(user.printable)\""). End that program, or choose another line."
      )
    case .permissionDenied, .notPermitted:
      (code, words) = (.noPermission, "may not be used: \(answer.inWords). Choose another line.")
    case .inappropriateIOCTLForDevice:
      (code, words) = (.unsupported, "cannot be requested: this needs Linux 5.10 or newer.")
    default:
      let wanted = use == .output ? "be an output" : "report edges"
      (code, words) = (.unsupported, "cannot \(wanted): \(answer.inWords). Choose another line.")
    }
    return OvercrankError(code, "\(name) \(words)", cause: answer, subject: chip.path.string)
  }

  /// Returns the text in a name of the kernel's.
  private static func text<Name>(_ name: inout Name) -> String {
    withUnsafeBytes(of: &name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
