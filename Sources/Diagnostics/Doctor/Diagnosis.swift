public import Platform
public import CameraModel

/// The result of checking a machine and a camera.
public struct Diagnosis: Hashable, Sendable {
  /// All checks, in order.
  public var checks: [Check]

  /// Creates a diagnosis from `checks`.
  public init(checks: [Check]) { self.checks = checks }

  /// A single check.
  public struct Check: Hashable, Sendable {
    /// The subject of the check, such as `disk speed`.
    public let name: String
    /// The result of the check.
    public let verdict: Verdict

    /// Creates a check with its result.
    package init(_ name: String, _ verdict: Verdict) {
      self.name = name
      self.verdict = verdict
    }
  }

  /// The result of a check.
  public enum Verdict: Hashable, Sendable {
    /// No problem: an observation.
    case fine(String)
    /// Something that limits a recording.
    case finding(Finding)
    /// Unknown: the reason.
    case unknown(String)
  }

  /// The findings, in order.
  public var findings: [Finding] {
    checks.compactMap { if case .finding(let finding) = $0.verdict { finding } else { nil } }
  }

  /// Returns the diagnosis with each remedy replaced by the result of `words`.
  public func wordingRemedies(_ words: (String, DiagnosticAction?) -> String) -> Diagnosis {
    Diagnosis(
      checks: checks.map { check in
        guard case .finding(var finding) = check.verdict else { return check }
        finding.remedy = words(finding.remedy, finding.action)
        return Check(check.name, .finding(finding))
      })
  }

  /// Whether no finding is a problem.
  public var isClean: Bool { !findings.contains { $0.severity == .problem } }
}

/// Something that limits recording at a high rate.
public struct Finding: Hashable, Sendable {
  /// The severity of a finding.
  public enum Severity: String, Hashable, Sendable, Encodable {
    /// Frames are lost, at least under load, or recording is impossible.
    case problem
    /// Worth knowing; loses no frames by itself.
    case hint
  }

  /// The severity.
  public let severity: Severity
  /// The finding, as a sentence.
  public let what: String
  /// The reason why it matters, as a sentence.
  public let why: String
  /// The remedy: a shell command or an instruction.
  public fileprivate(set) var remedy: String
  /// The remedy as an action, for programs that have their own wording; `nil` if there is no such action.
  public let action: DiagnosticAction?

  /// Creates a finding of these sentences.
  package init(
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

  /// Encodes the findings, the checks without problems, and those with an unknown result.
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
  /// Returns the check of a missing camera.
  ///
  /// - Parameter error: The reason why it cannot be used; `nil` if the machine has no camera.
  public static func noCamera(_ error: OvercrankError?) -> Diagnosis.Check {
    Diagnosis.Check(
      "camera",
      .finding(
        Finding(
          error?.description ?? "There is no camera on this machine.",
          why: "Only the simulated camera, \"sim:\", can be recorded.",
          remedy: (error == nil ? "Plug one in" : "Check the name, or plug the camera in")
            + "; \"sudo dmesg | tail\" shows what the kernel reports.",
          action: .listCameras)))
  }

  /// Returns the check of a camera that has no suitable mode.
  public static func noMode(_ choice: ModeChoice, of camera: String) -> Diagnosis.Check {
    let what =
      if let fastest = choice.nearest.first {
        "\(camera) has no mode with \(choice.requestedRate) fps: the fastest is \(fastest)."
      } else {
        "\(camera) has no suitable mode with a listed rate."
      }
    return Diagnosis.Check(
      "mode",
      .finding(
        Finding(
          what,
          why: "A camera cannot exceed the rates that its driver offers.", remedy: "See which modes it has.",
          action: .listModes(camera: camera))))
  }
}
