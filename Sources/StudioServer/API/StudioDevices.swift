import Overcrank

/// A camera that can be chosen.
struct StudioCamera: Encodable, Sendable {
  /// The name by which it is opened.
  var id: String
  var name: String
  @Nullable var kind: String? = nil
  @Nullable var orientation: String? = nil
  var isSimulated: Bool
  /// The reason that it cannot be opened; `nil` if it can.
  @Nullable var problem: String? = nil

  private enum CodingKeys: String, CodingKey {
    case id, name, kind, orientation, problem
    case isSimulated = "is_simulated"
  }

  /// Returns this machine's cameras, then the programs among `named`, then the simulated ones: those among `named`,
  /// and the default one.
  ///
  /// - Parameter named: the cameras with which the studio was started.
  static func all(startedWith named: [String] = []) -> [StudioCamera] {
    VideoNode.all().map { node in
      StudioCamera(
        id: node.path.string, name: node.capabilities?.card ?? node.path.string,
        kind: node.mounting.kind?.rawValue,
        orientation: node.mounting.orientation?.rawValue,
        isSimulated: false, problem: node.failure?.description)
    }
      + named.filter { $0.hasPrefix("exec:") }.map { StudioCamera(id: $0, name: $0, isSimulated: false) }
      + (named.filter { $0.hasPrefix("sim:") && $0 != "sim:" } + ["sim:"]).map { name in
        StudioCamera(
          id: name, name: name == "sim:" ? "Simulated camera" : "Simulated camera \(name)",
          isSimulated: true)
      }
  }
}

/// A microphone that can be chosen.
struct StudioMicrophone: Encodable, Sendable {
  var id: String
  var name: String

  /// Returns the system's default, this machine's microphones, then the simulated ones: those among `named`,
  /// and the default one.
  ///
  /// - Parameter named: the microphones with which the studio was started.
  static func all(startedWith named: [String] = []) -> [StudioMicrophone] {
    [ALSAMicrophone.usual].compactMap(\.self).map { StudioMicrophone(id: $0.name, name: "System default") }
      + MicrophoneNode.all().map { StudioMicrophone(id: $0.name, name: "\($0.cardName), \($0.deviceName)") }
      + (named.filter { $0.hasPrefix("sim:") && $0 != "sim:" } + ["sim:"]).map { name in
        StudioMicrophone(
          id: name, name: name == "sim:" ? "Simulated microphone" : "Simulated microphone \(name)")
      }
  }
}
