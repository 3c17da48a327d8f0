import ALSA
import Platform

extension OvercrankError {
  /// Creates the error of a recording whose ALSA call failed, with the whole message.
  init(_ error: ALSAError) {
    switch error.code {
    case .noDevice: self.init(.noMicrophone, error.description, remedy: .listMicrophones)
    case .badName: self.init(.badName, error.description)
    case .noPermission: self.init(.noPermission, error.description)
    case .busy: self.init(.busy, error.description)
    case .unsupported: self.init(.unsupported, error.description)
    case .disconnected: self.init(.disconnected, error.description)
    case .failed: self.init(.failed, error.description)
    }
  }
}
