import FrameJudge
import Foundation
import Testing

/// The files that the tarball's script installs under a prefix, removes, and leaves unchanged.
@Suite("install.sh", .tags(.program), .timeLimit(.minutes(1))) struct InstallScriptTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Runs lines in the folder, where `install` runs the script of a small tarball's tree, t. Returns their
  /// output.
  private func shell(_ script: String) throws -> String {
    let source = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../packaging/install.sh").standardized
    let set = """
      cd '\(folder.url.path)'
      install() { sh t/install.sh "$@"; }
      listed() { (cd "$1" && find . | LC_ALL=C sort | tr '\\n' ' '); }
      umask 077
      mkdir -p t/bin t/share/man/man1 t/share/overcrank
      echo new >t/bin/overcrank; chmod 700 t/bin/overcrank; echo page >t/share/man/man1/o.1
      printf 'bin/overcrank\\nshare/man/man1/o.1\\n' >t/share/overcrank/installed
      cp '\(source.path)' t/
      """
    return String(decoding: try Program.run("bash", ["-c", "\(set)\n\(script)"]).output, as: UTF8.self)
  }

  @Test("lets all users run what one user unpacked, and leaves nothing behind")
  func modes() throws {
    let output = try shell(
      """
      mkdir 'a b'
      install "$PWD/a b" >/dev/null && stat -c '%a %n' 'a b'/*/overcrank 'a b/share/man' 'a b/share/man/man1/o.1'
      install "$PWD/a b" >/dev/null && install --remove "$PWD/a b"; echo $?; listed 'a b'
      DESTDIR=$PWD/d install /usr && DESTDIR=$PWD/d install --remove /usr; listed d
      """)
    #expect(
      output == """
        755 a b/bin/overcrank
        755 a b/share/overcrank
        755 a b/share/man
        644 a b/share/man/man1/o.1
        0
        . . 
        """)
  }

  @Test("replaces and removes no other files")
  func others() throws {
    let output = try shell(
      """
      mkdir -p w/bin w/share/man; echo mine >w/bin/overcrank
      install "$PWD/w" 2>/dev/null; echo $?; install --remove "$PWD/w" 2>/dev/null; echo $?; cat w/bin/overcrank
      rm w/bin/overcrank; install "$PWD/w" >/dev/null; echo theirs >w/share/man/man1/x.1
      install --remove "$PWD/w"; echo $?; listed w
      """)
    #expect(output == "73\n66\nmine\n0\n. ./bin ./share ./share/man ./share/man/man1 ./share/man/man1/x.1 ")
  }

  @Test("removes an interrupted install, or one with an obstacle once it is gone")
  func interrupted() throws {
    let output = try shell(
      """
      printf 'bin/overcrank\\nbin/\\nshare/\\nshare/man/man1/o.1\\nshare/overcrank/\\n' >list
      mkdir -p w/bin w/share/overcrank; cp list w/share/overcrank/installed; : >w/bin/overcrank.overcrank-new
      install --remove "$PWD/w"; echo $?; listed w
      install "$PWD/w" >/dev/null; rm w/share/man/man1/o.1; mkdir w/share/man/man1/o.1
      install --remove "$PWD/w" 2>/dev/null; echo $?; ls w/bin
      rmdir w/share/man/man1/o.1; install --remove "$PWD/w"; echo $?; listed w
      """)
    #expect(output == "0\n. 74\n0\n. ")
  }

  @Test("keeps the existing program if there is no room for the new one")
  func noRoom() throws {
    let output = try shell(
      """
      install "$PWD/w" >/dev/null; echo old >w/bin/overcrank; head -c 100000 /dev/zero >t/bin/overcrank
      (ulimit -f 20; install "$PWD/w" >/dev/null 2>&1); echo $?; cat w/bin/overcrank; ls w/bin
      """)
    #expect(output == "74\nold\novercrank\n")
  }

  @Test("refuses invalid arguments")
  func wrongWords() throws {
    let output = try shell(
      """
      for words in "$PWD/w --remove" relative "$PWD/t" "--remove $PWD/t"; do install $words >/dev/null 2>&1; echo $?; done
      install '' >/dev/null 2>&1; echo $?; ls; cat t/bin/overcrank
      """)
    #expect(output == "64\n64\n64\n64\n64\nt\nnew\n")
  }
}
