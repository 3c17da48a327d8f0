import Capture
import FoundationEssentials

extension RecordingPlan {
  /// Returns the setup of a session with `device`.
  func setup(
    of device: CaptureDevice, hearing microphone: OpenMicrophone?, makeOutput: @escaping MakeTakeOutput
  ) -> SessionSetup {
    var setup = SessionSetup(
      CaptureSource(device), SessionConfiguration(mode: mode, controlChanges: controls.changes), session,
      microphone: microphone, settings: request.capture, makeOutput: makeOutput)
    setup.ramps = controls.ramps
    // Another mode would begin takes of one camera alone.
    guard camera == nil else { return setup }
    let wished = RequestedConfiguration(
      device: device, table: facts.table, request: request, policy: policy, controls: facts.controls)
    setup.findConfiguration = { (wish) throws(CaptureError) in try wished.find(wish) }
    setup.findLargest = { () throws(CaptureError) in try wished.findLargest() }
    return setup
  }
}

extension TakeNames {
  /// Creates the names of `plan`, in a folder that exists and is writable.
  ///
  /// - Throws: `OvercrankError` or ``RecordError`` if files with these names cannot be created.
  convenience init(of plan: RecordingPlan) throws {
    let request = plan.request
    if request.output == nil { try LibraryFolder.make(request.folder) }
    try OwnFolder.checkTakesFiles(beside: plan.clip)
    self.init(
      clip: plan.clip, camera: plan.camera, isMadeUp: request.output == nil, isNumbered: request.numbersTakes,
      followsTriggers: plan.session.start == .trigger
    ) { plan.nameFacts(at: Date()) }
    try check(replacing: request.replacesFiles, in: plan.format.container)
  }
}
