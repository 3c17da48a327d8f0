import Overcrank

extension APIError {
  /// Creates the API's error for an error of the studio or the library.
  init(_ error: any Error) {
    switch error {
    case let error as APIError: self = error
    case let error as StudioError: self.init(error)
    case let error as OvercrankError: self.init(error)
    case let error as QuantityError: self = .badRequest("\(error).")
    default: self = .refused("\(error)")
    }
  }

  /// Returns the same error, with the files of `folder` by their names alone.
  func naming(filesIn folder: FilePath) -> APIError {
    APIError(status: status, code: code, message: folder.namingFiles(in: message), fields: fields)
  }

  private init(_ error: OvercrankError) {
    switch error.code {
    case .busy: self = .notNow(error.description)
    case .noInput: self = Self(404, .notFound, error.description)
    case .outOfRange, .badName: self = .badRequest(error.description)
    default: self = .refused(error.description)
    }
  }

  private init(_ error: StudioError) {
    switch error.code {
    case .badRequest: self = .badRequest(error.message)
    case .notFound: self = Self(404, .notFound, error.message)
    case .notNow: self = .notNow(error.message)
    case .refused: self = .refused(error.message)
    }
  }

  private init(_ status: Int, _ code: Code, _ message: String) {
    self.init(status: status, code: code, message: message)
  }
}
