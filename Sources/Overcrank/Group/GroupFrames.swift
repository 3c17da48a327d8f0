import Platform
package import Retime
import SystemPackage
package import Takes
import Timebase

/// The frames of a group's cameras on the clock of the group, and the clips of parts of it.
package struct GroupFrames: Sendable {
  /// The frames of one camera.
  package struct Camera: Sendable {
    /// The camera's name in the group.
    package let name: String
    /// The driver's number of each frame; empty if the take does not state one for each.
    package let sequences: [Int64]
    /// The time of each frame, from the first frame of the group's first camera.
    package let times: [Duration]
    /// The time at which its last frame ends, if that is as long as the others are on average.
    package let end: Duration
  }

  /// The group's file.
  package let path: FilePath
  /// The cameras, in the order of the group.
  package let cameras: [Camera]
  /// The time in which all of them have frames; `nil` if there is none.
  package let common: Range<Duration>?

  /// Reads the frames of the masters.
  ///
  /// - Throws: `OvercrankError`: `noInput` if a take or a master is missing, or a link leads out of the group's folder;
  ///   `badData` if one cannot be read.
  package init(_ stored: StoredGroup) throws(OvercrankError) {
    path = stored.path
    let library = TakeLibrary(stored.path.folder)
    cameras = try stored.group.cameras.map { place throws(OvercrankError) in
      let take = try TakeGroup.take(of: place, inGroupAt: stored.path)
      guard let entry = library.entry(at: take) else {
        throw OvercrankError(
          .noInput, "\(take): there is no such take, so camera \(place.name) cannot be shown. Copy it there.")
      }
      return Camera(place, try TakePictures(entry))
    }
    let starts = cameras.compactMap(\.times.first)
    guard starts.count == cameras.count, let start = starts.max(), let end = cameras.map(\.end).min(),
      start < end
    else {
      common = nil
      return
    }
    common = start..<end
  }

  /// Returns the part of the common time that shows the frames of the first camera from `first` to `last`, both included.
  ///
  /// - Parameters:
  ///   - first: the first frame; `nil` for the start of the common time.
  ///   - last: the last frame; `nil` for the end of the common time.
  /// - Throws: `OvercrankError`: `badData` if there is no common time, `outOfRange` if it does not contain these frames.
  package func span(_ first: Int?, _ last: Int?) throws(OvercrankError) -> ClipSpan {
    guard let common, let camera = cameras.first else {
      throw OvercrankError(
        .badData,
        "\(path): there is no time in which all cameras of the group have frames. Align them again, or make a group "
          + "of those that recorded together.")
    }
    // The frame that is exposed when the last camera begins is in the common time, too.
    let from = (camera.times.lastIndex { $0 <= common.lowerBound }) ?? 0
    let to = (camera.times.lastIndex { $0 < common.upperBound }) ?? from
    let (first, last) = (first ?? from, last ?? to)
    guard first <= last else {
      throw OvercrankError(
        .outOfRange, "The part ends before it begins: first is \(first), last is \(last).")
    }
    guard from <= first, last <= to else {
      throw OvercrankError(
        .outOfRange,
        "All cameras have frames only from frame \(from) to frame \(to) of camera \(camera.name). Choose a part of that."
      )
    }
    return ClipSpan(
      start: max(.zero, camera.times[first] - common.lowerBound),
      end: last < to ? camera.times[last + 1] - common.lowerBound : nil)
  }
}

extension GroupFrames.Camera {
  fileprivate init(_ place: TakeGroup.Camera, _ pictures: borrowing TakePictures) {
    name = place.name
    sequences = pictures.sequences
    times = (0..<pictures.frameCount).map { place.place(of: pictures.time(of: $0)) }
    let (first, last) = (times.first ?? .zero, times.last ?? .zero)
    let steps = (sequences.last ?? 0).subtracting(clamping: sequences.first ?? 0)
    end = last + (last - first) / Double(max(1, steps, Int64(times.count - 1)))
  }
}
