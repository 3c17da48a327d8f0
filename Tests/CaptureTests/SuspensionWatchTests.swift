import Testing
import Timebase

@testable import Capture

@Suite("A machine that was suspended")
struct SuspensionWatchTests {
  @Test("is known by more than a second that one clock went on and the other stood still, once")
  func sleeps() {
    var watch = SuspensionWatch(lead: .seconds(10))
    let answers = [10, 11, 13, 13].map { watch.hasSlept(.seconds($0)) }
    #expect(answers == [false, false, true, false])
  }
}
