import Testing

@testable import Simulator

@Suite struct SimulatedEntropyCodingTests {
  private static func written(_ runs: [(bits: UInt64, count: Int)]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
      guard let base = buffer.baseAddress else { return }
      var writer = BitWriter(next: base)
      for run in runs { writer.write(HuffmanTable.Code(bits: run.bits, count: run.count)) }
      count = writer.finish() - base
    }
  }

  @Test func bitsFollowOneAnotherMostSignificantFirst() {
    #expect(Self.written([(0b101, 3), (0b00110, 5), (0x1234, 16)]) == [0b1010_0110, 0x12, 0x34])
  }

  @Test func theLastByteIsFilledWithOnes() {
    #expect(Self.written([(0b0, 1)]) == [0b0111_1111])
    #expect(Self.written([]) == [])
  }

  @Test func aByteOfOnesIsFollowedByAZero() {
    #expect(Self.written([(0xff, 8), (0xfe, 8), (0xff, 8)]) == [0xff, 0, 0xfe, 0xff, 0])
    #expect(Self.written([(0b1111, 4)]) == [0xff, 0])
  }

  @Test func codesAreCanonical() {
    // The luma DC table of ITU-T T.81, table K.3, and its codes as printed there.
    let table = HuffmanTable(
      counts: [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0], symbols: Array(0...11))
    let printed: [UInt64] = [
      0b00, 0b010, 0b011, 0b100, 0b101, 0b110, 0b1110, 0b11110, 0b111110, 0b1111110, 0b11111110, 0b111111110,
    ]
    #expect((0...11).map { table[$0].bits } == printed)
    #expect((0...11).map { table[$0].count } == [2, 3, 3, 3, 3, 3, 4, 5, 6, 7, 8, 9])
  }

  @Test(arguments: [
    [], [0xff], [0xff, 0xd8], [0xff, 0xd8, 0xff, 0xda, 0, 40, 0], [0, 1, 2, 3, 4, 5, 6, 7],
  ])
  func otherDataThanJPEGHasNoSegments(bytes: [UInt8]) {
    #expect(BaselineJPEG(bytes) == nil)
  }
}
