public import Timebase

/// A request to see the frames that a session holds for a review.
public struct ReviewRequest: Hashable, Sendable {
  /// The subject of the request.
  enum Subject: Hashable, Sendable {
    /// The list of frames.
    case frames
    /// One frame, counted from 0.
    case frame(Int)
  }

  /// The response.
  enum Response: Sendable {
    case frames(ReviewedFrames)
    case frame(CapturedFrame)
  }

  let subject: Subject
  private let listener: OutcomeListener<Response?>

  init(_ subject: Subject, answer: @escaping @Sendable (Response?) -> Void) {
    self.subject = subject
    listener = OutcomeListener(answer)
  }

  /// Answers the request; `nil` if there is nothing to see.
  func answer(_ sight: Response?) { listener.hear(sight) }
}

/// The frames that a session holds for a review.
public struct ReviewedFrames: Hashable, Sendable {
  /// The camera's sequence number of each frame, in order.
  public var sequences: [UInt32]
  /// The capture time of each frame, on the camera's clock.
  public var timestamps: [Instant]
  /// The number of frames lost between the first and the last.
  public var lost: Int64
  /// The time of the trigger, on the camera's clock; `nil` if there was none.
  public var trigger: Instant?
  /// The index of the last frame captured before the trigger, from 0; `nil` if none.
  public var triggerIndex: Int?
}

extension CaptureSession {
  /// Returns the frames in review; `nil` if the session is not in review.
  public func reviewedFrames() async -> ReviewedFrames? {
    guard case .frames(let frames)? = await look(.frames) else { return nil }
    return frames
  }

  /// Returns frame `index` of those in review, counted from 0; `nil` if there is none.
  public func reviewedFrame(_ index: Int) async -> CapturedFrame? {
    guard case .frame(let frame)? = await look(.frame(index)) else { return nil }
    return frame
  }

  private func look(_ subject: ReviewRequest.Subject) async -> ReviewRequest.Response? {
    await withCheckedContinuation { continuation in
      commands.send(.look(ReviewRequest(subject) { continuation.resume(returning: $0) }))
    }
  }
}
