package import ALSA
package import Microphones
package import Platform

/// The known facts about a machine's microphones.
package struct MicrophoneFacts: Hashable, Sendable {
  /// The recording devices, in order.
  package var nodes: [MicrophoneNode]
  /// The mixer's capture volumes and switches, by card number.
  package var switches: [Int: [CaptureSwitch]]

  /// Reads the facts from /proc and /dev in `folder`.
  package init(in folder: SystemFolder = SystemFolder()) {
    nodes = MicrophoneNode.all(in: folder)
    switches = [:]
    for card in Set(nodes.map(\.card)) { switches[card] = CaptureSwitch.all(ofCard: card) }
  }

  /// Returns a check of each microphone; empty if there are none.
  package func checks() -> [Diagnosis.Check] {
    nodes.map { node in
      Diagnosis.Check("microphone \(node.name)", Self.verdict(node, switches[node.card] ?? []))
    }
  }

  /// Returns the verdict on a microphone. Its findings are only hints, because a recording without audio
  /// needs no microphone.
  static func verdict(_ node: MicrophoneNode, _ switches: [CaptureSwitch]) -> Diagnosis.Verdict {
    let name = "\(node.name) (\(node.cardName))"
    guard node.isPermitted else {
      return .finding(
        Finding(
          "This user may not open the microphone \(name).", why: "Nothing can be recorded from it.",
          remedy: "Join the group that may: sudo usermod -aG audio $USER, then log in again.", severity: .hint
        ))
    }
    if node.isBusy {
      return .finding(
        Finding(
          "The microphone \(name) is in use\(node.holder.map { " by process \($0)" } ?? "").",
          why: "A hardware device serves only one program at a time.",
          remedy: "Stop that program, or record from \"default\", which can be shared.", severity: .hint))
    }
    // If a card has a "Capture" control, all its inputs pass through it.
    let isMuted = switches.contains { $0.name == "Capture" && $0.isMuted } || switches.allSatisfy(\.isMuted)
    if isMuted, let off = switches.first(where: \.isMuted) {
      return .finding(
        Finding(
          "The microphone \(name) is muted: \"\(off.name)\" is \(off.isOff ? "off" : "at 0").",
          why: "It records only silence.",
          remedy: "amixer -c \(node.card) set '\(off.name)' 75% cap", severity: .hint))
    }
    return .fine("The microphone \(name) can be recorded.")
  }
}

extension CaptureSwitch {
  /// Whether the control blocks all audio.
  var isMuted: Bool { isOff || volume == 0 }
}
