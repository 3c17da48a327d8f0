import Glibc
package import Platform
import SystemPackage

/// A recording device of this machine, as listed in `/proc/asound`, which every user may read.
package struct MicrophoneNode: Hashable, Sendable {
  /// The card's number.
  package let card: Int
  /// The device's number on the card.
  package let device: Int
  /// The card's short name, such as `PCH`, unique on this machine.
  package let id: String
  /// The card's driver, such as `USB-Audio`.
  package let driver: String
  /// The card's name, such as `Yeti Stereo Microphone`.
  package let cardName: String
  /// The card's long name, such as `Blue Microphones Yeti at usb-0000:00:14.0-2, high speed`.
  package let longName: String
  /// The device's name, such as `USB Audio`.
  package let deviceName: String
  /// Whether this user may open it.
  package let isPermitted: Bool
  /// Whether all of its capture substreams are in use.
  package let isBusy: Bool
  /// The process that records from it; `nil` if there is none, or it is unknown.
  package let holder: Int?

  /// The name that libasound gives it: `hw:1,0`.
  package var name: String { "hw:\(card),\(device)" }

  /// Returns whether `part` occurs in one of the device's or its card's names, ignoring case.
  func answers(to part: String) -> Bool {
    let part = part.lowercased()
    return [id, driver, cardName, longName, deviceName].contains { $0.lowercased().contains(part) }
  }

  /// Returns every recording device of the machine whose /proc and /dev are in `system`, in order.
  package static func all(in system: SystemFolder = SystemFolder()) -> [MicrophoneNode] {
    let cards = cards(in: system)
    return (system.lines("/proc/asound/pcm") ?? []).compactMap { line -> MicrophoneNode? in
      // 01-00: USB Audio : USB Audio : playback 1 : capture 1
      let fields = line.split(separator: ":").map { $0.trimmed }
      let numbers = (fields.first ?? "").split(separator: "-").map { Int($0) }
      guard numbers.count == 2, let card = numbers[0], let device = numbers[1], fields.count > 2,
        let capture = fields.dropFirst(3).first(where: { $0.hasPrefix("capture") })
      else { return nil }
      let count = capture.split(separator: " ").last.flatMap { Int($0) } ?? 1
      let folder = FilePath("/proc/asound/card\(card)/pcm\(device)c")
      let states = (0..<max(0, min(count, 64))).map { number in
        system.lines(folder.appending("sub\(number)/status")) ?? []
      }
      let isBusy = !states.isEmpty && states.allSatisfy { $0.first.map { $0 != "closed" } ?? false }
      let holder = states.lazy.compactMap { lines in
        lines.first { $0.hasPrefix("owner_pid") }?.split(separator: ":").last.flatMap { Int($0.trimmed) }
      }.first
      let node = system.place(of: FilePath("/dev/snd/pcmC\(card)D\(device)c"))
      let names = cards[card]
      return MicrophoneNode(
        card: card, device: device, id: names?.id ?? "\(card)", driver: names?.driver ?? "",
        cardName: names?.name ?? "", longName: names?.longName ?? "", deviceName: fields[2],
        isPermitted: access(node.string, R_OK | W_OK) == 0, isBusy: isBusy, holder: holder)
    }
  }

  private struct Card {
    var id: String
    var driver: String
    var name: String
    var longName: String
  }

  /// Returns the cards by number; the file has two lines for each.
  ///
  ///      1 [Microphone     ]: USB-Audio - Yeti Stereo Microphone
  ///                           Blue Microphones Yeti at usb-0000:00:14.0-2, high speed
  private static func cards(in system: SystemFolder) -> [Int: Card] {
    var cards: [Int: Card] = [:]
    var last: Int?
    for line in system.lines("/proc/asound/cards") ?? [] {
      guard let open = line.firstIndex(of: "["), let close = line[open...].range(of: "]:"),
        let number = Int(line[..<open].trimmed)
      else {
        if let last { cards[last]?.longName = line[...].trimmed }
        continue
      }
      let rest = line[close.upperBound...]
      let dash = rest.range(of: " - ")
      cards[number] = Card(
        id: line[line.index(after: open)..<close.lowerBound].trimmed,
        driver: rest[..<(dash?.lowerBound ?? rest.endIndex)].trimmed,
        name: dash.map { rest[$0.upperBound...].trimmed } ?? "", longName: "")
      last = number
    }
    return cards
  }
}

extension Substring {
  /// A copy without the spaces at both ends.
  fileprivate var trimmed: String {
    var text = self.drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return String(text)
  }

  /// Returns the range of the first occurrence of `part`.
  fileprivate func range(of part: String) -> Range<Index>? {
    var place = startIndex
    while place < endIndex {
      if self[place...].hasPrefix(part) { return place..<index(place, offsetBy: part.count) }
      place = index(after: place)
    }
    return nil
  }
}

extension MicrophoneNode: Encodable {
  private enum CodingKeys: String, CodingKey {
    case name, card, device, id, driver, permitted, busy, holder
    case cardName = "card_name"
    case longName = "long_name"
    case deviceName = "device_name"
  }

  /// Encodes the device; unknown values are `null`.
  package func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(name, forKey: .name)
    try keys.encode(card, forKey: .card)
    try keys.encode(device, forKey: .device)
    try keys.encode(id, forKey: .id)
    try keys.encode(driver, forKey: .driver)
    try keys.encode(cardName, forKey: .cardName)
    try keys.encode(longName, forKey: .longName)
    try keys.encode(deviceName, forKey: .deviceName)
    try keys.encode(isPermitted, forKey: .permitted)
    try keys.encode(isBusy, forKey: .busy)
    try keys.encode(holder, forKey: .holder)
  }
}
