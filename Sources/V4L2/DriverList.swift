/// A list that a driver returns one entry at a time, each with a system call of its own.
///
/// Not a `Sequence`, since a driver may fail in the middle, which is an error and not the end:
///
/// ```swift
/// var sizes = device.frameSizes(of: .mjpeg)
/// while let size = try sizes.next() { print(size) }
/// ```
///
/// A driver's list may never end. Stop after a plausible number of entries, or use ``collect(limit:)``. A
/// list cannot outlive its device.
public struct DriverList<Entry>: ~Copyable, ~Escapable {
  private let read: () throws(V4L2Error) -> Entry?
  private let isWhole: (Entry) -> Bool
  private var hasEnded = false

  /// Creates the list of `device` that `read` returns; an entry for which `isWhole` is true is the whole
  /// list.
  @_lifetime(borrow device)
  init(
    of device: borrowing Device, isWhole: @escaping (Entry) -> Bool = { _ in false },
    _ read: @escaping () throws(V4L2Error) -> Entry?
  ) {
    self.read = read
    self.isWhole = isWhole
  }

  /// Creates the list of `device` that `entry` returns by index, from 0.
  @_lifetime(borrow device)
  init(
    of device: borrowing Device, isWhole: @escaping (Entry) -> Bool = { _ in false },
    byIndex entry: @escaping (UInt32) throws(V4L2Error) -> Entry?
  ) {
    var next: UInt32? = 0
    self.init(of: device, isWhole: isWhole) { () throws(V4L2Error) in
      guard let index = next else { return nil }
      next = index == .max ? nil : index + 1
      return try entry(index)
    }
  }

  /// Returns the next entry; `nil` at the end of the list.
  ///
  /// - Throws: ``V4L2Error`` if the driver failed rather than ended the list; the list has then ended too.
  public mutating func next() throws(V4L2Error) -> Entry? {
    guard !hasEnded else { return nil }
    hasEnded = true
    guard let entry = try read() else { return nil }
    hasEnded = isWhole(entry)
    return entry
  }

  /// Returns the remaining entries, at most `limit` of them.
  ///
  /// - Throws: ``V4L2Error`` if the driver failed rather than ended the list.
  public consuming func collect(limit: Int = 1024) throws(V4L2Error) -> [Entry] {
    var found: [Entry] = []
    while found.count < limit, let entry = try next() { found.append(entry) }
    return found
  }

  /// Returns the entries up to the first at which the driver fails, at most `limit` of them: for lists that
  /// are useful in part.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of entries.
  ///   - failure: is set to the cause if the list was cut off, and is unchanged otherwise.
  public consuming func collect(limit: Int = 1024, upToFailure failure: inout V4L2Error?) -> [Entry] {
    var found: [Entry] = []
    do throws(V4L2Error) {
      while found.count < limit, let entry = try next() { found.append(entry) }
    } catch {
      failure = error
    }
    return found
  }
}
