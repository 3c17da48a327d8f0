import Cameras
import Takes
import Timebase

extension SessionWriter {
  /// Answers a request to see the ring's frames.
  func show(_ look: ReviewRequest) {
    guard state.isReviewing, let run else { return look.answer(nil) }
    switch look.subject {
    case .frames: look.answer(.frames(reviewedFrames()))
    case .frame(let wanted):
      var index = 0
      var found: CapturedFrame?
      run.ring.forEach { record, payload in
        guard found == nil, state.isReviewed(record) else { return }
        if index == wanted { found = CapturedFrame(record, payload, run.configuration) }
        index += 1
      }
      look.answer(found.map { .frame($0) })
    }
  }

  private func reviewedFrames() -> ReviewedFrames {
    var frames = ReviewedFrames(
      sequences: [], timestamps: [], lost: reviews.status?.lost ?? 0, trigger: reviews.status?.trigger,
      triggerIndex: reviews.status?.triggerIndex)
    run?.ring.forEach { record, _ in
      guard state.isReviewed(record) else { return }
      frames.sequences.append(record.sequence)
      frames.timestamps.append(record.timestamp)
    }
    return frames
  }

  /// Writes a section of the reviewed frames as a take.
  func save(_ part: TakePart, as number: Int, at now: Instant) {
    // The prepared output may have been deleted with its folder since, and a new one works as well.
    outputs.discardNext()
    guard let run, let context = stream.context(of: number, audio.input) else { return }
    // Reads the date before waiting for the disk.
    let date = clockOfDay()
    let start = TakeStart(
      number: number, trigger: nil, frameTime: part.start, preRollCut: nil)
    do throws(CaptureError) {
      // The stream is stopped during a review, so only commands wait for the disk.
      let opening = try outputs.open(context)
      let age = (now - part.start - state.clock.offset) / .seconds(1)
      var facts = TakeFacts(
        context: context, startedAt: date.addingTimeInterval(-max(0, age)),
        ringBytes: run.ring.capacity, ringLockErrno: run.ring.lockErrno)
      if case .reviewing(let window?) = state.phase, let event = state.reviewTrigger,
        (part.start..<part.end).contains(window.trigger)
      {
        let start = TakeStart(number: number, trigger: event, frameTime: window.trigger, preRollCut: nil)
        var sequence: UInt32?
        run.ring.forEach { record, _ in
          if record.kind == .frame, record.timestamp <= window.trigger { sequence = record.sequence }
        }
        facts.trigger = Take.Trigger(event, start, state.plan, fellInto: sequence)
        facts.moment = facts.startedAt.addingTimeInterval((window.trigger - part.start) / .seconds(1))
      }
      var take = TakeInProgress(start, output: opening, facts: facts, waitsForDisk: clock.isVirtual)
      // Its audio follows all of its frames.
      take.writer.holdAudio()
      run.ring.forEach { record, payload in
        guard !take.facts.isFull, (part.start..<part.end).contains(record.timestamp),
          !take.skips(payload, record)
        else { return }
        if record.kind == .frame {
          guard take.writer.hasRoom(for: payload, record, lasting: state.interval) else {
            take.facts.isFull = true
            return
          }
          take.writer.write(payload, record)
        } else {
          take.writer.enterLost(record)
        }
      }
      audio.save(into: &take, until: part.end, lag: state.clock.offset)
      controls.note(in: &take, clock: state.clock, interval: state.interval)
      events.tell(.takeStarted(take: number, trigger: nil), at: now)
      outputs.close(take, failure: nil)
    } catch {
      // Reports the end as for any other take, so that the requester receives it.
      events.tell(.takeStarted(take: number, trigger: nil), at: now)
      events.tell(.takeEnded(take: number, .failure(error)), at: now)
    }
  }
}

extension CapturedFrame {
  init(_ record: RingRecord, _ payload: UnsafeRawBufferPointer, _ configuration: StreamConfiguration) {
    bytes = Array(payload)
    sequence = record.sequence
    timestamp = record.timestamp
    self.configuration = configuration
  }
}
