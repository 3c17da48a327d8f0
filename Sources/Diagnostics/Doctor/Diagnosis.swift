public import Platform
public import CameraModel
import Cameras

/// What a doctor's look at a machine and a camera brought to light.
public struct Diagnosis: Hashable, Sendable {
  /// Every check that was made, in order.
  public var checks: [Check]

  /// What came of `checks`.
  public init(checks: [Check]) { self.checks = checks }

  /// One thing that was looked at.
  public struct Check: Hashable, Sendable {
    /// What was looked at, such as `disk speed`.
    public let name: String
    /// What came of it.
    public let verdict: Verdict

    init(_ name: String, _ verdict: Verdict) {
      self.name = name
      self.verdict = verdict
    }
  }

  /// What came of a check.
  public enum Verdict: Hashable, Sendable {
    /// All is well: what was seen.
    case fine(String)
    /// Something is in the way.
    case finding(Finding)
    /// It cannot be known, and why.
    case unknown(String)
  }

  /// The findings, in order.
  public var findings: [Finding] {
    checks.compactMap { if case .finding(let finding) = $0.verdict { finding } else { nil } }
  }

  /// The same diagnosis, each remedy as `words` makes it.
  public func wordingRemedies(_ words: (String, DiagnosticAction?) -> String) -> Diagnosis {
    Diagnosis(
      checks: checks.map { check in
        guard case .finding(var finding) = check.verdict else { return check }
        finding.remedy = words(finding.remedy, finding.action)
        return Check(check.name, .finding(finding))
      })
  }

  /// Whether nothing is in the way of filming.
  public var isClean: Bool { !findings.contains { $0.severity == .problem } }
}

/// Something that is in the way of filming at a high rate.
public struct Finding: Hashable, Sendable {
  /// How much it matters.
  public enum Severity: String, Hashable, Sendable, Encodable {
    /// Frames will be lost, or may be under load, or nothing can be filmed.
    case problem
    /// Worth knowing; no frame is lost for it alone.
    case hint
  }

  /// How much it matters.
  public let severity: Severity
  /// What was found, in a sentence.
  public let what: String
  /// Why it matters, in a sentence.
  public let why: String
  /// The command of the system, or the act, that mends it.
  public fileprivate(set) var remedy: String
  /// The same, where a program has words of its own for it.
  public let action: DiagnosticAction?

  init(
    _ what: String, why: String, remedy: String, action: DiagnosticAction? = nil,
    severity: Severity = .problem
  ) {
    self.severity = severity
    self.what = what
    self.why = why
    self.remedy = remedy
    self.action = action
  }
}

extension Diagnosis: Encodable {
  private enum CodingKeys: String, CodingKey {
    case clean, findings, fine
    case unknown = "not_known"
  }

  private struct FoundFinding: Encodable {
    var check: String
    var severity: Finding.Severity
    var what: String
    var why: String
    var remedy: String
  }

  private struct Note: Encodable {
    var check: String
    var what: String
  }

  /// Writes the findings, and what is fine and what is not known.
  public func encode(to encoder: any Encoder) throws {
    var found: [FoundFinding] = []
    var fine: [Note] = []
    var unknown: [Note] = []
    for check in checks {
      switch check.verdict {
      case .finding(let finding):
        found.append(
          FoundFinding(
            check: check.name, severity: finding.severity, what: finding.what, why: finding.why,
            remedy: finding.remedy))
      case .fine(let what): fine.append(Note(check: check.name, what: what))
      case .unknown(let what): unknown.append(Note(check: check.name, what: what))
      }
    }
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(isClean, forKey: .clean)
    try keys.encode(found, forKey: .findings)
    try keys.encode(fine, forKey: .fine)
    try keys.encode(unknown, forKey: .unknown)
  }
}

extension Diagnosis.Check {
  /// There is no camera to look at.
  ///
  /// - Parameter error: why not; `nil` where the machine has none.
  public static func noCamera(_ error: OvercrankError?) -> Diagnosis.Check {
    Diagnosis.Check(
      "camera",
      .finding(
        Finding(
          error?.description ?? "There is no camera on this machine.",
          why: "Only the simulated camera, \"sim:\", can be recorded.",
          remedy: (error == nil ? "Plug one in" : "Check the name, or plug the camera in")
            + "; \"sudo dmesg | tail\" says what the kernel makes of it.",
          action: .listCameras)))
  }

  /// The camera has no mode that was asked for.
  public static func noMode(_ choice: ModeChoice, of camera: String) -> Diagnosis.Check {
    let what =
      if let fastest = choice.nearest.first {
        "\(camera) has no mode with \(choice.askedRate) fps: the fastest is \(fastest)."
      } else {
        "\(camera) has no mode that would do and promises a rate."
      }
    return Diagnosis.Check(
      "mode",
      .finding(
        Finding(
          what,
          why: "A camera is no faster than its driver offers.", remedy: "See which modes it has.",
          action: .listModes(camera: camera))))
  }
}
