package import FoundationEssentials
package import Platform
package import Timebase

extension SessionClock {
  /// The current date.
  package var date: Date { Date(timeIntervalSince1970: timeOfDay / .seconds(1)) }

  /// Returns the date at `time` on this clock.
  package func date(at time: Instant) -> Date { date.addingTimeInterval((time - now) / .seconds(1)) }
}
