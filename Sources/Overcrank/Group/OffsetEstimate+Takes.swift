import Glibc
import Takes
import Timebase

extension OffsetEstimate {
  /// The bound of the error of a trigger that is not motion, in nanoseconds: it reaches each camera's program
  /// after milliseconds that differ.
  private static let triggerError = 5e6

  /// By the timestamps, which share one clock on one machine; `nil` if a camera has a clock of its own.
  static func byStamps(_ member: GroupMember, on reference: GroupMember) -> OffsetEstimate? {
    guard member.hasCommonClock, reference.hasCommonClock else { return nil }
    return OffsetEstimate(
      .stamps, offset: member.start - reference.start,
      uncertainty: hypot(member.startUncertainty, reference.startUncertainty))
  }

  /// By the trigger, which began both takes at one moment; `nil` if none did.
  static func byTrigger(_ member: GroupMember, on reference: GroupMember) -> OffsetEstimate? {
    guard let place = member.triggerPlace, let other = reference.triggerPlace else { return nil }
    // Motion is seen in a frame, within its interval.
    let errors = [member, reference].map { $0.take.trigger?.kind == "motion" ? $0.interval : triggerError }
    return OffsetEstimate(
      .trigger, offset: other - place, uncertainty: 2 * hypot(errors[0], errors[1]))
  }

  /// ``offset`` as a time.
  var offsetTime: Duration { Self.time(offset) }

  /// Returns `nanoseconds` as a time.
  static func time(_ nanoseconds: Double) -> Duration { .nanoseconds(Int64(clamping: nanoseconds.rounded())) }

  /// ``uncertainty`` as a time; `nil` if unknown.
  var uncertaintyTime: Duration? {
    uncertainty.isFinite ? .nanoseconds(Int64(clamping: uncertainty.rounded(.up))) : nil
  }
}

extension TakeGroup.Camera {
  /// Places the take of one camera beside that of the first by the frames' timestamps; if a camera has a clock
  /// of its own, by the trigger of both takes.
  ///
  /// - Parameters:
  ///   - file: the path of the take file from the folder of the group's file.
  ///   - member: the camera's take.
  ///   - first: the take of the group's first camera; `nil` for that camera itself.
  init(take file: String, of member: GroupMember, beside first: GroupMember?) {
    guard let first else {
      self.init(name: member.name, take: file, methods: [member.hasCommonClock ? .stamps : .trigger])
      return
    }
    let estimate = OffsetEstimate.byStamps(member, on: first) ?? OffsetEstimate.byTrigger(member, on: first)
    self.init(
      name: member.name, take: file, offset: estimate?.offsetTime ?? .zero,
      uncertainty: estimate.flatMap { $0.method == .stamps ? $0.uncertaintyTime : nil },
      methods: [estimate?.method ?? .trigger],
      residuals: estimate.map { [$0.method: .zero] } ?? [:])
  }
}
