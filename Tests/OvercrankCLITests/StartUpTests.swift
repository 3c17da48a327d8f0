import FrameJudge
import Testing

@Suite("The start of the program", .tags(.program), .timeLimit(.minutes(1)))
struct StartUpTests {
  @Test("loads no library that only a few commands need")
  func libraries() throws {
    // ld.so(8): the dynamic loader lists the libraries that it would load, and runs nothing.
    let loaded = try OvercrankProgram(["--version"], environment: ["LD_TRACE_LOADED_OBJECTS": "1"]).output
    #expect(loaded.contains("libavformat.so"))
    #expect(!loaded.contains("libavfilter.so"))
  }
}
