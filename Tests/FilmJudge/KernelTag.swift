public import Testing

extension Tag {
  /// Needs something of the kernel's that few machines have at hand: script/test-kernel runs it in a virtual machine.
  @Tag public static var kernel: Self
}

extension Trait where Self == ConditionTrait {
  /// Runs where there is such a node, and where there has to be one: its lack is a failure there, and not a test skipped.
  public static func needs(_ node: String?) -> Self {
    .enabled(if: node != nil || KernelCameras.areExpected, "this machine has no such camera")
  }
}
