// The part of script/plant-faults that knows Swift: it plants faults in the files of a copy of this repository.
//
// usage: planter ROOT SEED COUNT [NUMBER...] <ROOMS
//
// ROOMS has a line for each room: its name, then its files, relative to ROOT, all separated by tabs. COUNT faults are
// spread evenly over the rooms; SEED decides which, and those of each NUMBER are left out. Each file is rewritten so that the fault whose number is the value of
// OVERCRANK_PLANTED_FAULT is there, and no other. A line is printed for each fault: number, room, file, line, what was
// done, the original text and the faulty one, and the first and last line of it in the rewritten file, separated by tabs.

import Foundation
import SwiftOperators
import SwiftParser
import SwiftSyntax

/// A place where a fault can be planted.
struct Site {
  var room: String
  var file: String
  var line: Int
  /// Bytes of the file.
  var range: Range<Int>
  var kind: String
  var original: String
  /// The text in the original's place with the fault in it.
  var faulty: String
  /// The text that chooses between both: `@` stands for the question whether the fault is there.
  var choice: String
}

/// Finds the places of one file.
final class SiteFinder: SyntaxVisitor {
  private let room: String
  private let file: String
  private let converter: SourceLocationConverter
  /// Variables that get their value later: leaving that out does not compile.
  private var undefined: Set<String> = []
  private(set) var sites: [Site] = []

  init(room: String, file: String, text: String) throws {
    self.room = room
    self.file = file
    let tree = try OperatorTable.standardOperators.foldAll(Parser.parse(source: text))
    converter = SourceLocationConverter(fileName: file, tree: tree)
    super.init(viewMode: .sourceAccurate)
    walk(UndefinedVariables { self.undefined.insert($0) }, tree)
    walk(tree)
  }

  private func walk(_ visitor: SyntaxVisitor, _ tree: Syntax) { visitor.walk(tree) }

  private func add(_ node: some SyntaxProtocol, _ kind: String, faulty: String, choice: String? = nil) {
    let original = node.trimmedDescription
    let (start, end) = (node.positionAfterSkippingLeadingTrivia, node.endPositionBeforeTrailingTrivia)
    sites.append(
      Site(
        room: room, file: file, line: converter.location(for: start).line,
        range: start.utf8Offset..<end.utf8Offset, kind: kind, original: original, faulty: faulty,
        choice: choice ?? "(@ ? \(faulty) : \(original))"))
  }

  // MARK: What is left alone

  override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  /// A default value of a public function cannot name what is internal.
  override func visit(_ node: FunctionParameterSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  /// Raw values are literals.
  override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  /// The compiler does not get through a long table of choices.
  override func visit(_ node: ArrayExprSyntax) -> SyntaxVisitorContinueKind {
    node.elements.count > 8 ? .skipChildren : .visitChildren
  }
  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    visit(inlinable: node.attributes)
  }
  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    visit(inlinable: node.attributes)
  }

  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind { visit(inlinable: node.attributes) }

  private func visit(inlinable attributes: AttributeListSyntax) -> SyntaxVisitorContinueKind {
    attributes.trimmedDescription.contains("@inlinable") ? .skipChildren : .visitChildren
  }

  // MARK: Expressions

  override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    guard let sign = node.operator.as(BinaryOperatorExprSyntax.self)?.operator.text else {
      return .visitChildren
    }
    let (left, right) = (node.leftOperand.trimmedDescription, node.rightOperand.trimmedDescription)
    if let turned = Self.turned[sign] {
      add(node, "comparison turned", faulty: "\(left) \(turned) \(right)")
    } else if sign == "==" || sign == "!=" {
      let turned = sign == "==" ? "!=" : "=="
      add(
        node, "comparison turned", faulty: "\(left) \(turned) \(right)",
        choice: "((\(node.trimmedDescription)) != @)")
    } else if sign == "&&" {
      add(node.leftOperand, "condition left out", faulty: "true", choice: "((\(left)) || @)")
      add(node.rightOperand, "condition left out", faulty: "true", choice: "((\(right)) || @)")
    } else if sign == "||" {
      add(node.leftOperand, "condition left out", faulty: "false", choice: "((\(left)) && !@)")
      add(node.rightOperand, "condition left out", faulty: "false", choice: "((\(right)) && !@)")
    } else if let other = Self.otherArithmetic[sign] {
      add(node, "arithmetic changed", faulty: "\(left) \(other) \(right)")
    }
    return .visitChildren
  }

  private static let turned = ["<": "<=", "<=": "<", ">": ">=", ">=": ">"]
  private static let otherArithmetic = ["-": "+", "*": "/", "/": "*", "&+": "&-", "&-": "&+"]

  override func visit(_ node: PrefixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    if node.operator.text == "!" {
      let text = node.expression.trimmedDescription
      add(node, "negation left out", faulty: text, choice: "((\(text)) == @)")
    }
    return .visitChildren
  }

  override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    let text = node.trimmedDescription
    guard let value = Int(text.replacing("_", with: "")) else { return .visitChildren }
    // One more than a large number is as good as the number.
    if value < 16 {
      add(node, "off by one", faulty: String(value + 1))
    } else {
      add(node, "constant changed", faulty: String(value.multipliedReportingOverflow(by: 2).partialValue))
    }
    return .visitChildren
  }

  override func visit(_ node: FloatLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    add(node, "constant changed", faulty: "\(node.trimmedDescription) * 1.25")
    return .visitChildren
  }

  override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    let isTrue = node.trimmedDescription == "true"
    add(node, "constant changed", faulty: isTrue ? "false" : "true", choice: isTrue ? "(!@)" : "@")
    return .visitChildren
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    let name = node.calledExpression.trimmedDescription
    // What they hold against is not to happen in the first place.
    guard !Self.checks.contains(name) else { return .skipChildren }
    if name == "min" || name == "max", node.arguments.count > 1, node.arguments.first?.label == nil {
      add(
        node, "min and max exchanged",
        faulty: "\(name == "min" ? "max" : "min")(\(node.arguments.trimmedDescription))")
    }
    return .visitChildren
  }

  private static let checks: Set = [
    "precondition", "assert", "preconditionFailure", "assertionFailure", "fatalError",
  ]

  // MARK: Statements

  override func visit(_ node: ConditionElementSyntax) -> SyntaxVisitorContinueKind {
    guard let condition = node.condition.as(ExprSyntax.self), !condition.is(InfixOperatorExprSyntax.self),
      !condition.is(PrefixOperatorExprSyntax.self)
    else { return .visitChildren }
    let text = condition.trimmedDescription
    if node.parent?.parent?.is(GuardStmtSyntax.self) == true {
      add(condition, "check left out", faulty: "true", choice: "((\(text)) || @)")
    } else if node.parent?.parent?.is(IfExprSyntax.self) == true {
      add(condition, "condition turned", faulty: "!(\(text))", choice: "((\(text)) != @)")
    }
    return .visitChildren
  }

  override func visit(_ node: TernaryExprSyntax) -> SyntaxVisitorContinueKind {
    let condition = node.condition
    if !condition.is(InfixOperatorExprSyntax.self), !condition.is(PrefixOperatorExprSyntax.self) {
      let text = condition.trimmedDescription
      add(condition, "condition turned", faulty: "!(\(text))", choice: "((\(text)) != @)")
    }
    return .visitChildren
  }

  override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
    let text = node.item.trimmedDescription
    if let statement = node.item.as(ThrowStmtSyntax.self) {
      let parent = node.parent?.parent?.parent?.as(IfExprSyntax.self)
      if let parent, parent.elseBody == nil {
        add(statement, "error swallowed", faulty: "", choice: "if !@ { \(text) }")
      }
      return .visitChildren
    }
    // A single expression may be the value of what it stands in.
    guard let siblings = node.parent?.as(CodeBlockItemListSyntax.self), siblings.count > 1,
      let statement = node.item.as(ExprSyntax.self)
    else { return .visitChildren }
    if let attempt = statement.as(TryExprSyntax.self), attempt.questionOrExclamationMark == nil,
      isCall(attempt.expression)
    {
      // Encoding does not fail.
      guard !text.contains("encode") else {
        add(statement, "statement left out", faulty: "", choice: "if !@ { \(text) }")
        return .visitChildren
      }
      let call = attempt.expression.trimmedDescription
      add(
        statement, "error swallowed", faulty: "try? \(call)",
        choice: "if @ { _ = try? \(call) } else { \(text) }")
    } else if isCall(statement) || isAssignment(statement) {
      add(statement, "statement left out", faulty: "", choice: "if !@ { \(text) }")
    }
    return .visitChildren
  }

  private func isCall(_ expression: ExprSyntax) -> Bool {
    guard let call = expression.as(FunctionCallExprSyntax.self) else { return false }
    let name = call.calledExpression.trimmedDescription
    let last = name.split(separator: ".").last.map(String.init) ?? name
    // Room that is reserved, and what prints where nobody reads.
    return !Self.checks.contains(name) && !["init", "reserveCapacity", "deallocate"].contains(last)
  }

  private func isAssignment(_ expression: ExprSyntax) -> Bool {
    guard let infix = expression.as(InfixOperatorExprSyntax.self) else { return false }
    let target = infix.leftOperand
    if let sign = infix.operator.as(BinaryOperatorExprSyntax.self)?.operator.text {
      return sign.hasSuffix("=") && !["==", "!=", "<=", ">="].contains(sign)
    }
    guard infix.operator.is(AssignmentExprSyntax.self), !target.is(TupleExprSyntax.self),
      !target.is(DiscardAssignmentExprSyntax.self)
    else { return false }
    if let name = target.as(DeclReferenceExprSyntax.self)?.baseName.text, undefined.contains(name) {
      return false
    }
    return !isInInitializer(expression)
  }

  private func isInInitializer(_ node: some SyntaxProtocol) -> Bool {
    var parent = node.parent
    while let here = parent, !here.is(FunctionDeclSyntax.self) {
      if here.is(InitializerDeclSyntax.self) { return true }
      parent = here.parent
    }
    return false
  }
}

/// Finds the variables that are declared without a value.
private final class UndefinedVariables: SyntaxVisitor {
  private let found: (String) -> Void

  init(found: @escaping (String) -> Void) {
    self.found = found
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
    if node.initializer == nil, node.accessorBlock == nil,
      node.parent?.parent?.parent?.is(CodeBlockItemSyntax.self) == true
    {
      found(node.pattern.trimmedDescription)
    }
    return .visitChildren
  }
}

/// 64-bit FNV-1a: the same on every machine and in every run.
func hash(_ text: String) -> UInt64 {
  text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
}

/// Of `sites`, as many as wanted that do not lie in each other: of each kind in turn, in an order that `seed` and their
/// texts decide.
func chosen(_ sites: [Site], _ count: Int, seed: String) -> [Site] {
  var seen: [String: Int] = [:]
  let ranked = sites.map { site in
    let text = "\(seed)\t\(site.file)\t\(site.kind)\t\(site.original)"
    seen[text, default: 0] += 1
    return (rank: hash("\(text)\t\(seen[text] ?? 0)"), site: site)
  }.sorted { ($0.rank, $0.site.range.lowerBound) < ($1.rank, $1.site.range.lowerBound) }.map(\.site)
  var kinds = Dictionary(grouping: ranked, by: \.kind).sorted { $0.key < $1.key }.map { $0.value[...] }
  var taken: [Site] = []
  while taken.count < count, kinds.contains(where: { !$0.isEmpty }) {
    for index in kinds.indices where taken.count < count {
      while let site = kinds[index].popFirst() {
        guard !taken.contains(where: { $0.file == site.file && $0.range.overlaps(site.range) }) else {
          continue
        }
        taken.append(site)
        break
      }
    }
  }
  return taken
}

/// The text with each of `sites`, which are numbered, in its place; and the lines of each in it.
func planted(_ sites: [(number: Int, site: Site)], in text: String) -> (
  text: String, lines: [Int: ClosedRange<Int>]
) {
  let bytes = Array(text.utf8)
  var result: [UInt8] = []
  var lines: [Int: ClosedRange<Int>] = [:]
  var (end, line) = (0, 1)
  func append(_ more: some Sequence<UInt8>) {
    result += more
    line += more.reduce(0) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
  }
  for (number, site) in sites.sorted(by: { $0.site.range.lowerBound < $1.site.range.lowerBound }) {
    append(bytes[end..<site.range.lowerBound])
    let first = line
    append(Array(site.choice.replacing("@", with: "plantedFault(\(number))").utf8))
    lines[number] = first...line
    end = site.range.upperBound
  }
  append(bytes[end...])
  return (String(decoding: result, as: UTF8.self), lines)
}

let words = Array(CommandLine.arguments.dropFirst())
guard words.count >= 3, let count = Int(words[2]) else {
  FileHandle.standardError.write(Data("usage: planter ROOT SEED COUNT [NUMBER...] <ROOMS\n".utf8))
  exit(64)
}
let (root, seed, omitted) = (words[0], words[1], Set(words[3...].compactMap { Int($0) }))
var rooms: [[Site]] = []
var texts: [String: String] = [:]
while let line = readLine() {
  let fields = line.split(separator: "\t").map(String.init)
  var sites: [Site] = []
  for file in fields.dropFirst() {
    let text = try String(contentsOfFile: "\(root)/\(file)", encoding: .utf8)
    texts[file] = text
    sites += try SiteFinder(room: fields[0], file: file, text: text).sites
  }
  rooms.append(sites)
}
FileHandle.standardError.write(Data("\(rooms.map(\.count).reduce(0, +)) places\n".utf8))
// Rooms with few places leave their share to the others.
var left = count
var faults: [Site] = []
for (index, sites) in rooms.enumerated().sorted(by: {
  ($0.element.count, $0.offset) < ($1.element.count, $1.offset)
})
.enumerated().map({ ($0.offset, $0.element.element) }) {
  let more = chosen(sites, left / (rooms.count - index), seed: seed)
  left -= more.count
  faults += more
}
faults.sort { ($0.room, $0.file, $0.range.lowerBound) < ($1.room, $1.file, $1.range.lowerBound) }
let numbered = faults.enumerated().map { (number: $0.offset + 1, site: $0.element) }
  .filter { !omitted.contains($0.number) }
var lines: [Int: ClosedRange<Int>] = [:]
for (file, sites) in Dictionary(grouping: numbered, by: \.site.file) {
  let result = planted(sites, in: texts[file] ?? "")
  lines.merge(result.lines) { $1 }
  try Data(result.text.utf8).write(to: URL(filePath: "\(root)/\(file)"))
}
for (number, site) in numbered {
  func oneLine(_ text: String) -> String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
  let inCopy = lines[number] ?? 0...0
  print(
    number, site.room, site.file, site.line, site.kind, oneLine(site.original), oneLine(site.faulty),
    inCopy.lowerBound,
    inCopy.upperBound, separator: "\t")
}
