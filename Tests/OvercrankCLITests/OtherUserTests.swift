import FrameJudge
import Foundation
import Testing

/// Only for root, who can become another user.
@Suite("Another user", .tags(.program), .timeLimit(.minutes(1)), .enabled(if: OtherUser.canBecome))
struct OtherUserTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    chmod(folder.url.path, 0o755)
  }

  /// Runs a script as root in the folder, where `$overcrank` is the program, and `nobody` runs a command as
  /// that user.
  private func shell(_ script: String) throws -> String {
    let set = """
      cd '\(folder.url.path)'; overcrank='\(OvercrankProgram.url.path)'
      nobody() { runuser -u nobody -- "$@"; }
      root() { XDG_RUNTIME_DIR="$PWD/root" "$@"; }
      mkdir -m 755 root theirs; mkdir -m 700 theirs/overcrank; chown -R nobody theirs
      their() { nobody env XDG_RUNTIME_DIR="$PWD/theirs" "$@"; }
      until_there() { until test -S "$1"; do kill -0 $program || return 0; sleep 0.05; done; }
      """
    return String(decoding: try Program.run("bash", ["-c", "\(set)\n\(script)"]).output, as: UTF8.self)
  }

  private let options = "sim: --max-width 640 --ring 32MiB --trigger socket --frames 5 --no-clip"

  @Test("cannot trigger a take of a recording, even if the socket is open to them")
  func theirTrigger() throws {
    let output = try shell(
      """
      root $overcrank record \(options) -o a.mp4 >/dev/null 2>&1 & program=$!
      until_there root/overcrank/record.sock
      chmod 755 root/overcrank; chmod 666 root/overcrank/record.sock
      ln -s "$PWD/root/overcrank/record.sock" theirs/overcrank/record.sock
      their $overcrank trigger record 2>&1; echo "theirs $?"
      root $overcrank trigger; echo "ours $?"
      wait $program; echo "recording $?"; exit 0
      """)
    #expect(output.contains("theirs 74\n"), "\(output)")
    // If their trigger had started it, ours would have made it longer.
    #expect(output.contains("Take 1 has started.\nours 0\nrecording 0\n"), "\(output)")
  }

  @Test("is not asked for a take in place of one's own recording")
  func theirSocket() throws {
    let output = try shell(
      """
      chmod 777 .
      their $overcrank record \(options) -o "$PWD/a.mp4" >/dev/null 2>&1 & program=$!
      until_there theirs/overcrank/record.sock
      mkdir -m 700 root/overcrank; ln -s "$PWD/theirs/overcrank/record.sock" root/overcrank/record.sock
      root $overcrank trigger record 2>&1; echo "ours $?"
      their $overcrank trigger; echo "theirs $?"
      wait $program; echo "recording $?"; exit 0
      """)
    #expect(output.contains("Another user is listening there.") && output.contains("ours 74\n"), "\(output)")
    #expect(output.contains("Take 1 has started.\ntheirs 0\n"), "\(output)")
  }

  /// The effective capabilities, by the names of a running program's threads; the union for threads of one
  /// name.
  private func capabilities(_ listing: String) -> [String: UInt64] {
    let rows = listing.split(separator: "\n").compactMap { line -> (String, UInt64)? in
      let words = line.split(separator: " ")
      guard words.count == 2, let set = UInt64(words[1], radix: 16) else { return nil }
      return (String(words[0]), set)
    }
    return Dictionary(rows) { max($0, $1) }
  }

  @Test("whose program file has capabilities gets them in one thread, which reads no video")
  func confinedCapabilities() throws {
    let output = try shell(
      """
      chmod 777 .
      cp "$overcrank" given; setcap cap_sys_nice+p given 2>/dev/null || { echo none; exit 0; }
      list() { for task in /proc/$1/task/*; do
        for set in Prm Eff; do
          echo "$(tr ' ' _ <$task/comm)-$set $(sed -n "s/^Cap$set:\\t*//p" $task/status)"
        done
      done; }
      mkfifo words; exec 3<>words
      nobody ./given record sim: --ring 32MiB --max-width 640 --realtime --trigger signal --frames 20 --no-clip \\
        -o a.mp4 >/dev/null 2>words &
      while read -r line <&3; do case $line in Armed*) break;; esac; done
      program=$(pgrep -x given); until grep -qx overcrank-film /proc/$program/task/*/comm; do sleep 0.05; done
      list $program
      kill -USR1 $program; wait; exit 0
      """)
    try #require(output != "none\n", "the folder's file system keeps no capabilities")
    let threads = capabilities(output)
    #expect(threads["overcrank-privy-Eff", default: 0] > 0, "\(output)")
    #expect(threads["overcrank-film-Prm"] != nil && threads["overcrank-hear-Prm"] != nil, "\(output)")
    for (name, set) in threads where !name.hasPrefix("overcrank-privy") {
      #expect(set == 0, "\(name): \(output)")
    }
  }

  @Test("is told which image is unreadable, and gets no clip of those before it")
  func theirImages() throws {
    let output = try shell(
      """
      chmod 777 .
      ffmpeg -v error -f lavfi -i testsrc2=s=64x48 -frames:v 9 %d.png; chmod 600 2.png
      nobody "$overcrank" retime %d.png --capture-rate 240 -o x.mp4 2>&1; echo "ended $?"; ls *.mp4 2>&1; exit 0
      """)
    #expect(output.contains("2.png: ") && output.contains("ended 77\n"), "\(output)")
    #expect(output.contains("cannot access '*.mp4'"), "\(output)")
  }

  @Test("has a studio that answers")
  func theirStudio() throws {
    let output = try shell(
      """
      their sh -c 'echo $$ >theirs/pid; exec "$0" studio sim: --no-open --port 0 --folder "$PWD/theirs/takes"' \\
        "$overcrank" >address 2>errors & program=$!
      until test -s address; do kill -0 $program || break; sleep 0.1; done
      for try in 1 2 3; do curl -sS -o /dev/null -w '%{http_code} ' "$(sed 's/#.*//' address)"; done
      kill -INT $(cat theirs/pid); wait $program; echo "ended $?"; cat errors; exit 0
      """)
    #expect(output.hasPrefix("200 200 200 ended 0\n"), "\(output)")
  }

  @Test("is told which take or folder is unreadable, instead of that it is damaged or empty")
  func unreadable() throws {
    for name in ["a", "b"] { try StagedTake(name).write(to: folder.url.path) }
    let output = try shell(
      """
      mkdir takes locked; mv a.* b.* takes; chmod 755 takes; chmod 644 takes/*; chmod 600 takes/b.take.json
      list() { nobody env XDG_VIDEOS_DIR="$1" $overcrank takes list "${@:2}" 2>&1; echo "list $?"; }
      list "$PWD" --json takes
      nobody $overcrank takes show takes/b 2>&1; echo "show $?"
      nobody $overcrank takes verify takes/b 2>&1; echo "verify $?"
      mkdir locked/overcrank; chmod 711 takes; chmod 700 locked
      list "$PWD" takes
      nobody $overcrank takes verify --folder takes 2>&1; echo "verify all $?"
      list "$PWD/locked"
      nobody $overcrank takes show takes/a 2>&1 | head -1
      exit 0
      """)
    #expect(output.contains("\"unreadable_take\"") && output.contains("\"take\""), "\(output)")
    #expect(output.contains("show 77\n") && output.contains("verify 77\n"), "\(output)")
    #expect(output.contains("verify all 77\n"), "\(output)")
    #expect(output.matches(of: /list 77\n/).count == 2, "\(output)")
    #expect(output.hasSuffix("takes/a.take.json\n"), "\(output)")
  }
}

/// Whether this user can run the program as another one.
enum OtherUser {
  static let canBecome: Bool =
    geteuid() == 0
    && (try? Program.run(
      "runuser", ["-u", "nobody", "--", OvercrankProgram.url.path, "--version"])) != nil
}
