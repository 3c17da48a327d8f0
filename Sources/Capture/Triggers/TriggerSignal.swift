import Dispatch
import Glibc

/// Triggers from SIGUSR1.
final class TriggerSignal: @unchecked Sendable {
  // Unchecked: nothing changes after `init`.
  private let source: any DispatchSourceSignal

  /// Takes SIGUSR1 as a trigger from now on.
  init(to commands: SessionCommands) {
    // The default action is put out first, else it kills before the source is told.
    signal(SIGUSR1, SIG_IGN)
    source = DispatchSource.makeSignalSource(signal: SIGUSR1, queue: .global(qos: .userInteractive))
    source.setEventHandler { commands.trigger(TriggerEvent(.signal)) }
    commands.sourceBegan()
    source.resume()
  }

  deinit { source.cancel() }
}
