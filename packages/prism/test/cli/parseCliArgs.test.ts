import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { type CliOptions, CliUsageError, parseCliArgs } from "../../src/cli/index.ts"
import { readPlainArgs } from "../../src/cli/readPlainArgs.ts"

const refusal = (...argv: ReadonlyArray<string>): string => {
  try {
    parseCliArgs(argv)
  } catch (error) {
    assert.instanceOf(error, CliUsageError)
    return error.message
  }
  return assert.fail(`${argv.join(" ")} was not refused`)
}

const none = { context: [], config: [], resource: [], extension: [], tool: [] }

describe("parseCliArgs", () => {
  it("C2: an unknown flag is refused by its name", () => {
    assert.strictEqual(refusal("--bogus", "-p", "Hi"), "Unknown flag: --bogus")
    assert.strictEqual(refusal("-p", "Hi", "--bogus=1"), "Unknown flag: --bogus")
    assert.strictEqual(refusal("-x"), "Unknown flag: -x")
  })

  it("C2: the parser's own flags that the contract does not name are unknown", () => {
    assert.strictEqual(refusal("--wizard"), "Unknown flag: --wizard")
    assert.strictEqual(refusal("--log-level", "debug"), "Unknown flag: --log-level")
    assert.strictEqual(refusal("-v"), "Unknown flag: -v")
    assert.strictEqual(refusal("--no-help"), "Unknown flag: --no-help")
  })

  it("C2: a value that is missing, empty or begins with two dashes is missed in the spelling that was used", () => {
    assert.strictEqual(refusal("-p"), "Missing value for -p")
    assert.strictEqual(refusal("--prompt"), "Missing value for --prompt")
    assert.strictEqual(refusal("-p", "--mode", "json"), "Missing value for -p")
    assert.strictEqual(refusal("-p", "--", "Hi"), "Missing value for -p")
    assert.strictEqual(refusal("-p", "Hi", "--mode"), "Missing value for --mode")
    assert.strictEqual(refusal("-p", "Hi", "--prompt"), "Missing value for --prompt")
    assert.strictEqual(refusal("-p", "Hi", "--session", ""), "Missing value for --session")
    assert.strictEqual(refusal("-p", "Hi", "--compact="), "Missing value for --compact")
    assert.strictEqual(refusal("--completions"), "Missing value for --completions")
  })

  it("C2: a mode that does not exist is refused", () => {
    assert.strictEqual(refusal("-p", "Hi", "--mode", "xml"), "Invalid mode: xml")
  })

  it("C2: a number is digits alone", () => {
    for (const value of ["-1", "1.5", "1e3", "0x10", " 1", "many", "99999999999999999999"]) {
      assert.strictEqual(refusal("-p", "Hi", "--compact", value), `Invalid value for --compact: ${value}`)
      assert.strictEqual(
        refusal("-p", "Hi", "--max-tool-rounds", value),
        `Invalid value for --max-tool-rounds: ${value}`
      )
    }
    assert.strictEqual(refusal("--completions", "tcsh"), "Invalid value for --completions: tcsh")
  })

  it("C2: a prompt is needed", () => {
    assert.strictEqual(refusal(), "Missing prompt: use -p or --prompt")
    assert.strictEqual(refusal("--provider", "mock", "--mode", "json"), "Missing prompt: use -p or --prompt")
    assert.strictEqual(refusal("-p", " "), "Missing prompt: use -p or --prompt")
  })

  it("C2: what is no flag, and a flag that is repeated, are refused", () => {
    assert.strictEqual(refusal("-p", "Hi", "there"), "Unexpected argument: there")
    assert.strictEqual(refusal("-p", "Hi", "--", "--there"), "Unexpected argument: --there")
    assert.strictEqual(refusal("-p", "Hi", "--", "-p", "Ho"), "Unexpected argument: -p")
    assert.strictEqual(refusal("-p", "Hi", "--prompt", "Ho"), "--prompt may be given only once")
  })

  it("C1: a documented flag or command of another version says that it is not in this one", () => {
    const later = "is not available in this version"
    assert.strictEqual(refusal("-p", "Hi", "--mode", "rpc"), `--mode rpc ${later}`)
    for (const flag of ["--discover", "--no-discovery", "--no-agents-md", "--no-system-md"]) {
      assert.strictEqual(refusal(flag, "-p", "Hi"), `${flag} ${later}`)
    }
    const withValue = ["--discover-kinds", "--agents-config", "--instruction", "--injector-file", "--agents-md-file"]
    for (const flag of [...withValue, "--system-md-file"]) {
      assert.strictEqual(refusal("-p", "Hi", flag, "x"), `${flag} ${later}`)
    }
    for (const command of ["init", "providers"]) {
      assert.strictEqual(refusal(command, "somewhere", "--force"), `prism ${command} ${later}`)
    }
  })

  it("C2: --provider and --host exclude each other", () => {
    assert.match(
      refusal("-p", "Hi", "--provider", "mock", "--host", "h.js"),
      /^--provider and --host exclude each other/
    )
  })

  it("reads every flag, and repeatable ones in order", () => {
    const argv = [
      "-p",
      "Hi",
      "--mode",
      "json",
      "--provider",
      "mock",
      "--model",
      "m",
      "--session",
      "s",
      "--system",
      "be kind"
    ]
    argv.push("--context", "one", "--context", "two", "--compact", "0", "--max-tool-rounds", "12")
    argv.push("--config", "c", "--resource", "r", "--extension", "e", "--tool", "t1", "--tool", "t2")
    assert.deepStrictEqual(parseCliArgs(argv), {
      mode: "json",
      prompt: "Hi",
      provider: "mock",
      model: "m",
      session: "s",
      system: "be kind",
      context: ["one", "two"],
      compact: 0,
      maxToolRounds: 12,
      config: ["c"],
      resource: ["r"],
      extension: ["e"],
      tool: ["t1", "t2"]
    })
    assert.deepStrictEqual(parseCliArgs(["-p", "Hi", "--host", "h.ts"]), {
      ...none,
      mode: "print",
      prompt: "Hi",
      host: "h.ts"
    })
  })

  it("C2: a value may begin with one dash, or follow an equals sign", () => {
    const expected: CliOptions = { ...none, mode: "print", prompt: "- an item", system: "--strict" }
    assert.deepStrictEqual(parseCliArgs(["-p", "- an item", "--system=--strict"]), expected)
    assert.deepStrictEqual(parseCliArgs(["-p=- an item", "--system=--strict"]), expected)
    assert.deepStrictEqual(parseCliArgs(["-p", "-"]), { ...none, mode: "print", prompt: "-" })
  })

  it("C1: help, version and completions are information, whatever stands beside them", () => {
    for (const argv of [["-h"], ["--help"], ["--help", "--bogus"], ["-p", "Hi", "-h"]]) {
      const { information = "" } = parseCliArgs(argv)
      for (const flag of ["--prompt, -p <text>", "--mode", "--host <file>", "--version", "--completions"]) {
        assert.include(information, flag)
      }
      assert.notInclude(information, "--wizard")
      assert.notInclude(information, "--log-level")
      assert.notInclude(information, "\u001b")
    }
    assert.match(parseCliArgs(["--version"]).information ?? "", /^prism v\d+\.\d+\.\d+\S*\n$/)
    assert.include(parseCliArgs(["--completions", "bash"]).information, "complete -F")
    assert.include(parseCliArgs(["--completions", "zsh"]).information, "#compdef prism")
    assert.include(parseCliArgs(["--completions", "fish"]).information, "complete -c prism")
  })
})

const flag = Schema.Literals([
  "-p",
  "--prompt",
  "--mode",
  "--provider",
  "--model",
  "--session",
  "--system",
  "--max-tool-rounds"
])
const value = Schema.Union([
  Schema.Literals([
    "Hi",
    "print",
    "json",
    "rpc",
    "mock",
    "7",
    "007",
    "1e3",
    "-1",
    "",
    " ",
    "=",
    "a=b",
    "-p",
    "--",
    "init"
  ]),
  Schema.String
])
const other = Schema.Literals([
  "--host",
  "--context",
  "--help",
  "-h",
  "--compact",
  "--mode=json",
  "-p=x",
  "--discover",
  "--x"
])

describe("readPlainArgs", () => {
  it("takes the everyday command line", () => {
    assert.deepStrictEqual(readPlainArgs(["--provider", "mock", "-p", "Hi"]), {
      ...none,
      mode: "print",
      prompt: "Hi",
      provider: "mock"
    })
    const all = [
      "--prompt",
      "Hi",
      "--mode",
      "json",
      "--model",
      "m",
      "--session",
      "s",
      "--system",
      "x",
      "--max-tool-rounds",
      "0"
    ]
    assert.deepStrictEqual(readPlainArgs(all), {
      ...none,
      mode: "json",
      prompt: "Hi",
      model: "m",
      session: "s",
      system: "x",
      maxToolRounds: 0
    })
  })

  it("leaves every other list to parseCliArgs", () => {
    const lists = [
      [],
      ["-h"],
      ["-p"],
      ["-p", ""],
      ["-p", "- x"],
      ["-p=x"],
      ["-p", "a", "-p", "b"],
      ["-p", "a", "--host", "h"]
    ]
    for (const argv of [
      ...lists,
      ["-p", "a", "--mode", "rpc"],
      ["-p", "a", "--max-tool-rounds", "x"],
      ["-p", "a", "--max-tool-rounds", "99999999999999999999"],
      ["--mode", "json"]
    ]) {
      assert.isUndefined(readPlainArgs(argv), argv.join(" "))
    }
  })

  const pairs = Schema.Array(Schema.Tuple([flag, value]))
  it.prop("reads lists of flags and values as parseCliArgs does", [pairs], ([given]) => readsAlike(given.flat()))

  const ordinary = Schema.Tuple([
    Schema.Literals(["-p", "--prompt"]),
    Schema.NonEmptyString,
    Schema.Boolean,
    Schema.NonEmptyString
  ])
  it.prop("reads everyday lists as parseCliArgs does", [ordinary], ([[prompt, text, first, system]]) =>
    readsAlike(first ? [prompt, text, "--system", system] : ["--system", system, prompt, text, "--mode", "json"])
  )

  const anything = Schema.Array(Schema.Union([flag, value, other]))
  it.prop("reads any list as parseCliArgs does, or leaves it to it", [anything], ([argv]) => readsAlike(argv))
})

/** The short way answers what the long way answers, or nothing. */
const readsAlike = (argv: ReadonlyArray<string>): void => {
  const plain = readPlainArgs(argv)
  if (plain !== undefined) assert.deepStrictEqual(plain, parseCliArgs(argv))
}
