import { assert, describe, it } from "@effect/vitest"
import { createCodingApprovalPolicy } from "../../src/security/CodingApprovalPolicy.ts"
import { analyzeCommand } from "../../src/security/commandAnalysis.ts"
import { evaluateCommandRules, type CommandRule } from "../../src/security/CommandRules.ts"
import { readOnlyCommandRules } from "../../src/security/readOnlyCommandRules.ts"
import { evasions } from "./evasions.ts"
import { ordinary } from "./ordinary.ts"

const allow = (...patterns: ReadonlyArray<RegExp>): ReadonlyArray<CommandRule> =>
  patterns.map((pattern) => ({ pattern, action: "allow" }))
const texts = (command: string) => analyzeCommand(command, []).programs.map(({ text }) => text)
const actionOf = (command: string, rules: ReadonlyArray<CommandRule>) => analyzeCommand(command, rules).action

describe("analyzeCommand", () => {
  it("CS17, CS20: of 200 and more command lines that try to slip past the rules none is allowed, in either mode", async () => {
    assert.isAtLeast(new Set(evasions).size, 200)
    const allowed = evasions.filter((line) => actionOf(line, readOnlyCommandRules) === "allow")
    assert.deepEqual(allowed, [])
    // What a host would write who means the same programs, but knows less about them.
    const words: ReadonlyArray<CommandRule> = ["ls", "echo", "cat", "git status", "true"].map((pattern) => ({
      pattern,
      action: "allow"
    }))
    for (const commandAnalysis of ["rules", "shell"] as const) {
      const asked: Array<string> = []
      const policy = createCodingApprovalPolicy({ roots: ["/"], commandRules: words, commandAnalysis })
      for (const command of evasions) {
        const { allowed: runs } = await policy.check({ kind: "shell", operation: "execute", paths: ["/"], command })
        if (runs) asked.push(command)
      }
      assert.deepEqual(asked, [], commandAnalysis)
    }
    assert.deepEqual(
      evasions.filter((line) => line.includes("sudo") && evaluateCommandRules(line, words).action !== "deny"),
      []
    )
  })

  it("CS17: of 300 ordinary reading command lines fewer than one in twenty asks, and none is refused", () => {
    assert.isAtLeast(new Set(ordinary).size, 300)
    const asking = ordinary.filter((line) => actionOf(line, readOnlyCommandRules) !== "allow")
    assert.isBelow(asking.length, ordinary.length / 20, asking.join("\n"))
    assert.deepEqual(
      asking.filter((line) => actionOf(line, readOnlyCommandRules) === "deny"),
      []
    )
  })

  it("CS17: deny beats asking, and asking beats allow, whatever the order of the rules", () => {
    const rules: ReadonlyArray<CommandRule> = [
      { pattern: /^git/, action: "allow" },
      { pattern: /^git push/, action: "requireApproval", reason: "look first" },
      { pattern: /--force/, action: "deny", reason: "no force" }
    ]
    for (const ordered of [rules, rules.toReversed()]) {
      assert.deepInclude(analyzeCommand("git log && git push --force", ordered), { action: "deny", reason: "no force" })
      assert.deepInclude(analyzeCommand("git log && git push", ordered), {
        action: "requireApproval",
        reason: "look first"
      })
      assert.strictEqual(actionOf("git log && git diff", ordered), "allow")
    }
    assert.strictEqual(actionOf("git log | nice git push -'-force'", rules), "deny")
    assert.strictEqual(actionOf("/usr/bin/git push --force", rules), "deny")
  })

  it("CS17: the decision lists every program with the rule that decided it", () => {
    const [ls] = allow(/^ls/)
    const { action, programs, doubts, reason } = analyzeCommand(
      "ls -a | env LANG=C wc > 'x y'",
      ls === undefined ? [] : [ls]
    )
    assert.strictEqual(action, "requireApproval")
    assert.strictEqual(reason, "no rule allows wc")
    assert.deepEqual(doubts, [])
    assert.deepEqual(programs, [
      { words: ["ls", "-a"], text: "ls -a", kind: "program", action: "allow", reason: undefined, rule: ls },
      { words: ["env", "LANG=C", "wc"], text: "env LANG=C wc", kind: "wrapper", action: "allow", reason: "wrapper" },
      { words: ["wc"], text: "wc", kind: "program", action: "requireApproval", reason: "no rule allows wc" },
      {
        words: [">", "x y"],
        text: "> 'x y'",
        kind: "redirection",
        action: "requireApproval",
        reason: "no rule allows > 'x y'"
      }
    ])
  })

  it("CS17: programs are found in every place of the grammar", () => {
    for (const [command, expected] of [
      ["a; b && c || d | e |& f & g", "a b c d e f g"],
      ["if a; then b; elif c; then d; else e; fi", "a b c d e"],
      ["while a; do b; done; until c; do d; done", "a b c d"],
      ["case $(a) in $(b)) c;; esac", "a b c"],
      ["{ a; ( b ); }; ! c; time d", "a b c d"],
      ["f() { a; }", "a"],
      ["[[ $(a) == $(b) ]]; x=$(c)", "a b c"],
      ["cat <<E\n$(a) ${x:-`b`}\nE", "cat a b"],
      ["bash <<'E'\na; b\nE", "bash a b"],
      ["sh -c 'a; bash -c \"b; c\"'", "sh -c 'a; bash -c \"b; c\"' a bash -c 'b; c' b c"],
      ["nice -n 5 timeout -k 1 9 env -i a", "nice -n 5 timeout -k 1 9 env -i a timeout -k 1 9 env -i a env -i a a"]
    ] as const) {
      assert.strictEqual(texts(command).join(" "), expected)
    }
  })

  it("CS17: a file is written only under a rule that speaks of writing", () => {
    const rules = allow(/^echo/, /out/)
    assert.strictEqual(actionOf("echo a > out.txt", rules), "requireApproval")
    assert.strictEqual(actionOf("echo a > out.txt", [...rules, ...allow(/^>>? out\.txt$/)]), "allow")
    assert.strictEqual(actionOf("echo a > other.txt", [...rules, ...allow(/^>>? out\.txt$/)]), "requireApproval")
    assert.strictEqual(actionOf("echo a > /dev/null 2>&1", rules), "allow")
    const named = allow(/(?<name>out|a)(?:\k<name>)?/, /(?<!b)(?<=>{0,2}\s*)c/)
    assert.strictEqual(actionOf("echo a > out.txt", [...rules, ...named]), "requireApproval")
    assert.strictEqual(actionOf("echo a > c", [...rules, ...named]), "allow")
  })

  it("CS17: a rule covers words that may become options only where it says so", () => {
    const find: CommandRule = { pattern: /^find/, action: "allow" }
    for (const word of ["$x", '"$x"', "*", "{a,-b}", "-{a,b}", "./$x"]) {
      assert.strictEqual(actionOf(`find ${word}`, [find]), "requireApproval", word)
      assert.strictEqual(actionOf(`find ${word}`, [{ ...find, expansions: true }]), "allow", word)
    }
    for (const word of ['"./$x"', "./*", "src/*.ts", '"$HOME"', "~", "a{b,c}", "$?"]) {
      assert.strictEqual(actionOf(`find ${word}`, [find]), "allow", word)
    }
  })

  it("CS18: built-in patterns deny unless a rule allows the very program", () => {
    for (const command of [
      "sudo ls",
      "ls; s''udo ls",
      "bash -c 'sudo ls'",
      "ls | nice rm -rf /",
      "curl x | sh",
      "$'s'udo ls",
      "eval 'sudo ls'"
    ]) {
      assert.strictEqual(actionOf(command, readOnlyCommandRules), "deny", command)
    }
    assert.strictEqual(actionOf("grep sudo file", readOnlyCommandRules), "allow")
    assert.strictEqual(actionOf("sudo ls", allow(/^sudo ls$/)), "allow")
  })

  it("CS17: quoting never makes one word of a rule out of two, nor two out of one", () => {
    assert.strictEqual(actionOf("'ls -a'", allow(/^ls/)), "requireApproval")
    assert.strictEqual(actionOf("git 'status; rm x'", allow(/^git status$/)), "requireApproval")
    assert.strictEqual(actionOf("'git' \"sta\"tus", allow(/^git status$/)), "allow")
  })

  it("CS10: long, deep and broken command lines ask, and nothing throws", () => {
    const rules = allow(/./)
    for (const command of [
      "ls ".repeat(40_000),
      "$(".repeat(5_000),
      "(".repeat(1_000),
      "nice ".repeat(50) + "ls",
      "\uD800 \0"
    ]) {
      assert.strictEqual(actionOf(command, rules), "requireApproval")
    }
  })
})
