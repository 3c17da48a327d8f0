public import Timebase

/// A look at the frames that a session keeps in memory for a review.
public struct ReviewLook: Hashable, Sendable {
  /// What is looked at.
  enum Subject: Hashable, Sendable {
    /// The list of frames.
    case frames
    /// One frame, counted from 0.
    case frame(Int)
  }

  /// What there is to be seen.
  enum Sight: Sendable {
    case frames(ReviewedFrames)
    case frame(CapturedFrame)
  }

  let subject: Subject
  private let listener: OutcomeListener<Sight?>

  init(_ subject: Subject, answer: @escaping @Sendable (Sight?) -> Void) {
    self.subject = subject
    listener = OutcomeListener(answer)
  }

  /// Tells whoever looks; `nil` where there is nothing to be seen.
  func answer(_ sight: Sight?) { listener.hear(sight) }
}

/// The frames that a session keeps in memory for a review.
public struct ReviewedFrames: Hashable, Sendable {
  /// The camera's number of each frame, in order.
  public var sequences: [UInt32]
  /// When each was captured, on the camera's clock.
  public var timestamps: [Instant]
  /// How many frames were lost between the first and the last.
  public var lost: Int64
  /// When what triggered came, on the camera's clock; `nil` where nothing did.
  public var trigger: Instant?
  /// The frame that was captured last when the trigger came, counted from 0; `nil` where none was.
  public var triggerIndex: Int?
}

extension CaptureSession {
  /// The frames that are reviewed; `nil` where none are.
  public func reviewedFrames() async -> ReviewedFrames? {
    guard case .frames(let frames)? = await look(.frames) else { return nil }
    return frames
  }

  /// Frame `index` of those that are reviewed, counted from 0; `nil` where there is none.
  public func reviewedFrame(_ index: Int) async -> CapturedFrame? {
    guard case .frame(let frame)? = await look(.frame(index)) else { return nil }
    return frame
  }

  private func look(_ subject: ReviewLook.Subject) async -> ReviewLook.Sight? {
    await withCheckedContinuation { continuation in
      commands.send(.look(ReviewLook(subject) { continuation.resume(returning: $0) }))
    }
  }
}
