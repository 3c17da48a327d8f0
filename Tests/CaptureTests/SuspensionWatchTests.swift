import Testing
import Timebase

@testable import Capture

@Suite("A suspension of the machine")
struct SuspensionWatchTests {
  @Test("is detected once if one clock gains more than a second on the other")
  func sleeps() {
    var watch = SuspensionWatch(lead: .seconds(10))
    let answers = [10, 11, 13, 13].map { watch.hasSlept(.seconds($0)) }
    #expect(answers == [false, false, true, false])
  }
}
