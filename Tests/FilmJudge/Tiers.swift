public import Testing

/// What has none of these tags is a unit test: `script/test unit` runs it.
extension Tag {
  /// Starts a program, opens a socket or waits for time to pass: `script/test program` runs it.
  @Tag public static var program: Self
  /// Shows what only real time can show. `script/test program` runs these tests last, one after another.
  @Tag public static var realTime: Self
  /// Needs something of the kernel's that few machines have at hand: `script/test kernel` runs it in a virtual machine.
  @Tag public static var kernel: Self
}

extension Trait where Self == ConditionTrait {
  /// Runs where there is such a node, and where there has to be one: its lack is a failure there, and not a test skipped.
  public static func needs(_ node: String?) -> Self {
    .enabled(if: node != nil || KernelCameras.areExpected, "this machine has no such camera")
  }
}
