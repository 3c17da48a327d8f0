public import Testing

/// A test with none of these tags is a unit test: `script/test unit` runs it.
extension Tag {
  /// Starts a program, opens a socket or waits for time to pass: `script/test program` runs it.
  @Tag public static var program: Self
  /// Needs real time. `script/test program` runs these tests last, when the others leave them the processors.
  @Tag public static var realTime: Self
  /// Needs a kernel module that few machines have: `script/test kernel` runs it in a virtual machine.
  @Tag public static var kernel: Self
}

extension Trait where Self == ConditionTrait {
  /// Enables a test if there is such a node, or if there must be one: then a missing node fails the test.
  public static func needs(_ node: String?) -> Self {
    .enabled(if: node != nil || KernelCameras.areExpected, "this machine has no such camera")
  }
}
