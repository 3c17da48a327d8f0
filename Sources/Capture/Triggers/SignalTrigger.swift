import Dispatch
import Glibc
import Timebase

/// SIGUSR1.
struct SignalTrigger: TriggerSource {
  static let kind = TriggerKind.signal
  static let usage = "signal: the program receives SIGUSR1"

  init(argument: String?) throws(QuantityError) { try Self.refuse(argument) }

  var prompt: String { "run \"kill -USR1 \(getpid())\"" }

  func open(to session: CaptureSession) -> (any Sendable)? { Listener(to: session) }

  private final class Listener: @unchecked Sendable {
    // Unchecked: nothing changes after `init`.
    private let source: any DispatchSourceSignal

    init(to session: CaptureSession) {
      // Ignores the signal first, because its default action would kill the program before the source
      // receives it.
      signal(SIGUSR1, SIG_IGN)
      source = DispatchSource.makeSignalSource(signal: SIGUSR1, queue: .global(qos: .userInteractive))
      source.setEventHandler { [commands = session.commands, clock = session.clock] in
        commands.trigger(TriggerEvent(.signal, at: clock.now))
      }
      session.commands.sourceBegan()
      source.resume()
    }

    deinit { source.cancel() }
  }
}

extension TriggerKind {
  /// SIGUSR1.
  public static let signal = TriggerKind(rawValue: "signal")
}
