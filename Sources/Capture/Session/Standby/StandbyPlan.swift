/// What is to happen where takes wait for triggers.
public struct StandbyPlan: Hashable, Sendable {
  /// How long before its trigger a take begins, in nanoseconds.
  public var preRoll: Int64
  /// When a take is complete, counted from its last trigger on; without a limit, the next trigger ends it.
  public var limit: RecordingLimit
  /// How many takes there are; `nil` for as many as come.
  public var takeCount: Int?
  /// The times that begin a take.
  public var times: [TriggerTime]

  /// A plan of these parts.
  public init(preRoll: Int64, limit: RecordingLimit, takeCount: Int? = 1, times: [TriggerTime] = []) {
    self.preRoll = preRoll
    self.limit = limit
    self.takeCount = takeCount
    self.times = times
  }
}
