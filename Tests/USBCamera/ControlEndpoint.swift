import Glibc

/// The camera's answers on its control endpoint.
struct ControlEndpoint {
  /// The result of a request.
  enum Answer: Equatable {
    /// Done, with these bytes if some were requested.
    case done([UInt8])
    /// From now on, frames are sent or not: the alternate setting of their interface.
    case streaming(Bool)
    /// There is no such request: the endpoint stalls.
    case stalled
  }

  /// The requests that every device has (USB 2.0, 9.4).
  private enum StandardRequest {
    static let (getStatus, clearFeature, setFeature): (UInt8, UInt8, UInt8) = (0, 1, 3)
    static let (getDescriptor, setConfiguration, setInterface): (UInt8, UInt8, UInt8) = (6, 9, 11)
  }

  private let descriptors: CameraDescriptors
  private(set) var negotiation: StreamNegotiation

  init(of model: CameraModel) {
    descriptors = CameraDescriptors(of: model)
    negotiation = StreamNegotiation(of: model)
  }

  /// Answers a request that came with `data`.
  mutating func answer(_ setup: SetupPacket, data: [UInt8], controls: inout CameraControls) -> Answer {
    // Bits 6 and 5: the kind of request.
    let bytes: [UInt8]? =
      switch setup.kind & 0x60 {
      case 0x00: standard(setup)
      case 0x20: classSpecific(setup, data, &controls)
      default: nil
      }
    guard let bytes else { return .stalled }
    if setup.kind & 0x60 == 0, setup.request == StandardRequest.setInterface,
      setup.index == UInt16(Layout.streamInterface)
    {
      return .streaming(setup.value != 0)
    }
    return .done(Array(bytes.prefix(Int(setup.length))))
  }

  private func standard(_ setup: SetupPacket) -> [UInt8]? {
    switch setup.request {
    case StandardRequest.getDescriptor:
      descriptors.descriptor(UInt8(setup.value >> 8), index: UInt8(setup.value & 0xff))
    case StandardRequest.getStatus: [0, 0]
    case StandardRequest.clearFeature, StandardRequest.setFeature, StandardRequest.setConfiguration,
      StandardRequest.setInterface:
      []
    default: nil
    }
  }

  private mutating func classSpecific(
    _ setup: SetupPacket, _ data: [UInt8], _ controls: inout CameraControls
  ) -> [UInt8]? {
    let (entity, selector) = (UInt8(setup.index >> 8), UInt8(setup.value >> 8))
    return switch UInt8(setup.index & 0xff) {
    case Layout.streamInterface: negotiation.answer(setup.request, selector: selector, data: data)
    // The reason why the last request failed: "invalid control" is the only one here.
    case Layout.controlInterface
    where entity == 0 && selector == 2 && setup.request == ClassRequest.getCurrent: [6]
    case Layout.controlInterface:
      controls.answer(setup.request, entity: entity, selector: selector, data: data)
    default: nil
    }
  }
}
