internal import Glibc
package import SystemPackage
import Timebase

extension FilePath {
  /// The number of bytes that this user can still write to this folder's disk; `nil` if unknown.
  package var bytesFree: Int64? {
    var status = statvfs()
    guard withPlatformString({ statvfs($0, &status) }) == 0 else { return nil }
    return Int64(
      clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
  }
}

extension Int64 {
  /// This number of bytes as text: `66.3 MB`.
  package var sizeWords: String {
    guard self >= 1000 else { return "\(self) B" }
    let (unit, name): (Int64, String) =
      self < 1_000_000 ? (1000, "kB") : self < 1_000_000_000 ? (1_000_000, "MB") : (1_000_000_000, "GB")
    return "\(Fraction(self, unit).decimal(places: 1)) \(name)"
  }
}
