import Platform
import Timebase

extension MachineFacts {
  /// Returns the checks of the machine for a ring of `ringBytes`.
  public func checks(ringBytes: Int64) -> [Diagnosis.Check] {
    [
      Diagnosis.Check("real-time scheduling", Self.realTime(mayRunInRealTime)),
      Diagnosis.Check("memory lock", Self.memoryLock(lockableBytes, ringBytes: ringBytes)),
      Diagnosis.Check("free memory", Self.memory(availableBytes, ringBytes: ringBytes)),
      Diagnosis.Check("CPU governor", Self.governor(governors)),
    ]
  }

  static func realTime(_ isAllowed: Bool?) -> Diagnosis.Verdict {
    switch isAllowed {
    case true?: .fine("This program may run its capture thread in real time.")
    case nil: .unknown("/proc does not say whether real-time threads are allowed.")
    case false?:
      .finding(
        Finding(
          "This program may not run its capture thread in real time.",
          why:
            "Other programs can delay the thread until the driver has no empty buffer left. Then frames are lost.",
          remedy: SchedulingRefusal.remedy))
    }
  }

  static func memoryLock(_ lockable: Int64?, ringBytes: Int64) -> Diagnosis.Verdict {
    guard let lockable else { return .unknown("/proc does not say how much memory may be locked.") }
    if lockable >= ringBytes { return .fine("The ring of \(megabytes(ringBytes)) may be locked in memory.") }
    return .finding(
      Finding(
        "Only \(megabytes(lockable)) may be locked in memory; the ring takes \(megabytes(ringBytes)).",
        why:
          "Memory that is not locked can be swapped out. Reading it back can stop the capture thread for many frames.",
        remedy: SchedulingRefusal.remedy))
  }

  static func memory(_ available: Int64?, ringBytes: Int64) -> Diagnosis.Verdict {
    guard let available else { return .unknown("/proc/meminfo does not say how much memory is available.") }
    // Reserves as much again for the encoder and the page cache.
    if available / 2 >= ringBytes {
      return .fine("\(megabytes(available)) of memory are available; the ring takes \(megabytes(ringBytes)).")
    }
    return .finding(
      Finding(
        "Only \(megabytes(available)) of memory are available; the ring takes \(megabytes(ringBytes)).",
        why: "A machine that runs out of memory may swap or kill programs in the middle of a take.",
        remedy:
          "Close other programs (\"ps aux --sort -rss | head\" shows the largest), or record a smaller mode.",
        action: .chooseSmallerMode))
  }

  /// Drivers under which `powersave` leaves the clock to the processor instead of keeping it slow; kernel:
  /// admin-guide/pm/intel_pstate, amd-pstate.
  private static let drivenByProcessor: Set<String> = ["intel_pstate", "amd-pstate-epp", "amd_pstate_epp"]

  static func governor(_ governors: [Governor]) -> Diagnosis.Verdict {
    guard let first = governors.first else {
      return .unknown("This machine does not report the governors of its CPUs.")
    }
    let slow = governors.filter {
      $0.name == "powersave" && !drivenByProcessor.contains($0.driver ?? "")
    }
    guard !slow.isEmpty else { return .fine("The CPUs' governor is \(first.name).") }
    return .finding(
      Finding(
        "The governor of \(slow.count) of \(governors.count) CPUs is powersave.",
        why:
          "It keeps the CPUs at their slowest clock, and each frame takes several times as long to copy and write.",
        remedy: "echo schedutil | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor"))
  }
}

/// Returns `bytes` in megabytes: `33.6 MB`.
func megabytes(_ bytes: Int64) -> String {
  "\(Fraction(bytes, 1_000_000).decimal(places: 1)) MB"
}
