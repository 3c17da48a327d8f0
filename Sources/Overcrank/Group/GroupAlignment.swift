import Media
public import Platform
public import SystemPackage
public import Takes
import Timebase

/// Finds where the frames of several takes lie on one clock: that of the first take.
public struct GroupAlignment {
  /// The takes; the first one has the clock.
  public let members: [GroupMember]
  /// The methods, each once.
  public let methods: [AlignmentMethod]

  /// Creates the alignment of two takes or more by these methods.
  ///
  /// - Parameters:
  ///   - members: the takes.
  ///   - methods: one method or more.
  /// - Throws: `OvercrankError` with `outOfRange` if there are fewer takes, or no method.
  public init(_ members: [GroupMember], by methods: [AlignmentMethod]) throws(OvercrankError) {
    guard members.count > 1 else {
      throw OvercrankError(.outOfRange, "One take cannot be aligned by itself. Name two or more.")
    }
    self.members = members
    self.methods = AlignmentMethod.allCases.filter(methods.contains)
    guard !self.methods.isEmpty else {
      throw OvercrankError(.outOfRange, "No method was named by which to align the takes.")
    }
  }

  /// Returns each member's camera in a group whose file is in `folder`.
  ///
  /// By flashes, all frames of the masters are decoded.
  ///
  /// - Parameter folder: the folder of the group's file.
  /// - Throws: `OvercrankError` with `badData` if a take cannot be aligned by one of the methods, `noInput` if its
  ///   master is missing and needed, `outOfRange` if it is not in the folder; `cancelled` if the task is.
  public nonisolated(nonsending) func cameras(
    in folder: FilePath
  ) async throws(OvercrankError) -> [TakeGroup.Camera] {
    let first = members[0]
    let path = try Self.path(of: first.path, from: folder)
    var cameras = [TakeGroup.Camera(name: first.name, take: path, methods: methods)]
    let heard = methods.contains(.clap) ? try Self.audio(of: first) : SourceAudio(samples: [], rate: 0)
    let seen = methods.contains(.flash) ? try await first.flashes() : nil
    for member in members.dropFirst() {
      let path = try Self.path(of: member.path, from: folder)
      var estimates: [OffsetEstimate] = []
      var line: Double?
      for method in methods {
        switch method {
        case .flash:
          guard let seen else { continue }
          let result = try await flash(member, seen)
          estimates.append(result.estimate)
          line = result.line
          cameras[0].lineTime = cameras[0].lineTime ?? result.referenceLine.map(OffsetEstimate.time)
        case .clap: estimates.append(try clap(member, heard))
        case .trigger: estimates.append(try trigger(member))
        case .stamps: estimates.append(try stamps(member))
        }
      }
      guard let (joint, counted) = OffsetEstimate.fused(estimates) else { continue }
      let residuals = estimates.map { estimate in
        (estimate.method, Duration.nanoseconds(Int64(clamping: (estimate.offset - joint.offset).rounded())))
      }
      cameras.append(
        TakeGroup.Camera(
          name: member.name, take: path, offset: joint.offsetTime, ratePartsPerMillion: joint.rate,
          rateUncertainty: joint.rateUncertainty, uncertainty: joint.uncertaintyTime, methods: counted,
          residuals: Dictionary(uniqueKeysWithValues: residuals), lineTime: line.map(OffsetEstimate.time)))
    }
    return cameras
  }

  /// Returns the path of a take from `folder`, in which it must be.
  private static func path(of take: FilePath, from folder: FilePath) throws(OvercrankError) -> String {
    var rest = FilePath(take.absolutePath)
    guard rest.removePrefix(FilePath(folder.absolutePath)), rest.isRelative else {
      throw OvercrankError(
        .outOfRange,
        "\(take): is not in \(folder), the folder of the group's file. Write the group to a folder "
          + "that has all its takes, or copy them there.")
    }
    return rest.string
  }

  private func stamps(_ member: GroupMember) throws(OvercrankError) -> OffsetEstimate {
    let first = members[0]
    guard let estimate = OffsetEstimate.byStamps(member, on: first) else {
      let path = member.hasCommonClock ? first.path : member.path
      throw OvercrankError(
        .badData,
        "\(path): its timestamps are not those of the machine's clock. Align it by flash, clap or trigger.")
    }
    let end = min(first.start + first.length, member.start + member.length)
    guard end >= max(first.start, member.start) else {
      throw OvercrankError(
        .badData,
        "\(member.path): by its timestamps, it was not recorded at the same time as \(first.path). If it was, on "
          + "another machine, align it by flash or clap.")
    }
    return estimate
  }

  private nonisolated(nonsending) func flash(
    _ member: GroupMember, _ other: SeenFlashes
  ) async throws(OvercrankError) -> FlashAlignment.Result {
    let seen = try await member.flashes()
    let losses = member.lossesOfFlashes + members[0].lossesOfFlashes
    do { return try FlashAlignment.estimate(seen, on: other) } catch {
      let words =
        switch error {
        case .counts(let own, let other):
          "\(own) \(own == 1 ? "flash was" : "flashes were") found in it, and \(other) in \(members[0].path).\(losses) All cameras must see the same "
            + "flashes, a tenth of a second apart or more, and each frame must be exposed nearly until the next. Record "
            + "again"
        case .different:
          "the times between its flashes are not those of \(members[0].path).\(losses) Record again, with flashes that "
            + "all cameras see"
        }
      throw OvercrankError(.badData, "\(member.path): \(words), or align the takes in another way.")
    }
  }

  private static func audio(of member: GroupMember) throws(OvercrankError) -> SourceAudio {
    guard let heard = try member.audio() else {
      throw OvercrankError(
        .badData,
        "\(member.path): has no audio, so no clap can be heard. Align it in another way, or record with a "
          + "microphone.")
    }
    return heard
  }

  private func clap(_ member: GroupMember, _ other: SourceAudio) throws(OvercrankError) -> OffsetEstimate {
    let heard = try Self.audio(of: member)
    do { return try ClapAlignment.estimate(heard, on: other) } catch {
      let words =
        switch error {
        case .silent: "its audio, or that of \(members[0].path), has no sudden noise"
        case .repeated: "several offsets from \(members[0].path) fit its audio equally"
        }
      throw OvercrankError(
        .badData,
        "\(member.path): \(words). Align it in another way, or clap once where all microphones hear it.")
    }
  }

  private func trigger(_ member: GroupMember) throws(OvercrankError) -> OffsetEstimate {
    guard let estimate = OffsetEstimate.byTrigger(member, on: members[0]) else {
      let path = member.triggerPlace == nil ? member.path : members[0].path
      throw OvercrankError(
        .badData, "\(path): no trigger began it, so it cannot be aligned by one. Align it in another way.")
    }
    return estimate
  }
}
