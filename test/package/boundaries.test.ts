import { join, relative, sep } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { importsOf, loadedBy, repository, sourcesOf } from "./imports.ts"

const core = join(repository, "packages/core/src")
const prism = join(repository, "packages/prism/src")
const mcp = join(repository, "packages/mcp/src")
const codingTools = join(repository, "packages/coding-tools/src")

/** A folder of core imports only folders above it. */
const ORDER = [
  "schema",
  "events",
  "records",
  "ports",
  "errors",
  "limits",
  "security",
  "validation",
  "broadcast",
  "middleware",
  "provider",
  "store",
  "tool",
  "approval",
  "dispatch",
  "agent",
  "input",
  "turn",
  "loop",
  "run",
  "session",
  "testing"
]

/** Folders that are a public subpath: their `index.ts` may look like an entry, and nothing else imports them. */
const folderOf = (file: string): string => relative(core, file).split(sep)[0] ?? ""

describe("core", () => {
  it("imports effect and nothing else", () => {
    const foreign = sourcesOf(core).flatMap((file) =>
      importsOf(file)
        .filter(({ file: own, specifier }) => own === undefined && !/^effect\/\w/.test(specifier))
        .map(({ specifier }) => `${relative(core, file)}: ${specifier}`)
    )
    assert.deepStrictEqual(foreign, [])
  })

  it("has no file outside the known folders but its entries and its layer", () => {
    const loose = sourcesOf(core)
      .map((file) => relative(core, file))
      .filter((file) => !ORDER.includes(file.split(sep)[0] ?? ""))
    assert.deepStrictEqual(loose.toSorted(), ["index.ts", "layer.ts", "schema.ts"])
  })

  it("has folders that import only folders above them", () => {
    const upward = sourcesOf(core)
      .filter((file) => ORDER.includes(folderOf(file)))
      .flatMap((file) =>
        importsOf(file)
          .filter(({ file: own }) => own !== undefined && ORDER.indexOf(folderOf(own)) > ORDER.indexOf(folderOf(file)))
          .map(({ specifier }) => `${relative(core, file)}: ${specifier}`)
      )
    assert.deepStrictEqual(upward, [])
  })

  it("imports the schemas as types only, so that no entry loads effect/Schema on its way", () => {
    const data = new Set(["schema", "events", "records"])
    const loading = sourcesOf(core)
      // The entry `./schema` is where they are values.
      .filter((file) => !data.has(folderOf(file)) && relative(core, file) !== "schema.ts")
      .flatMap((file) =>
        importsOf(file)
          .filter(({ file: own, isType }) => own !== undefined && !isType && data.has(folderOf(own)))
          .map(({ specifier }) => `${relative(core, file)}: ${specifier}`)
      )
    assert.deepStrictEqual(loading, [])
  })

  it("names no file after what it is for others: no utils, helpers, common or types", () => {
    const vague = sourcesOf(core).filter((file) => /\/(utils?|helpers?|common|types)(\/|\.ts$)/.test(file))
    assert.deepStrictEqual(vague, [])
  })
})

describe("entries", () => {
  const EFFECT_OF_CORE = [
    "effect/Cause",
    "effect/Clock",
    "effect/Context",
    "effect/Data",
    "effect/Effect",
    "effect/Exit",
    "effect/Fiber",
    "effect/Layer",
    "effect/Option",
    "effect/Result"
  ]

  it("load of effect only what is cheap: the kernel's entry", () => {
    assert.deepStrictEqual(loadedBy(join(core, "index.ts")).modules, EFFECT_OF_CORE)
  })

  it("load of effect only what is cheap: the validator's entry", () => {
    assert.deepStrictEqual(loadedBy(join(core, "validation/json-schema/index.ts")).modules, [
      "effect/Context",
      "effect/Data",
      "effect/Effect",
      "effect/Layer",
      "effect/Result"
    ])
  })

  it("load no node module: the facade's entry", () => {
    assert.deepStrictEqual(loadedBy(join(prism, "index.ts")).modules, ["@arnilo/prism-core", "effect/Effect"])
  })

  it("load core, a differ and Node: the coding tools' entry", () => {
    const { modules } = loadedBy(join(codingTools, "agent/index.ts"))
    assert.deepStrictEqual(
      modules.filter((name) => !name.startsWith("node:")),
      ["@arnilo/prism-core", "diff"]
    )
  })

  it("load core, a parser and Node, but no tool: the security entry", () => {
    const { files, modules } = loadedBy(join(codingTools, "security/index.ts"))
    assert.deepStrictEqual(
      modules.filter((name) => !name.startsWith("node:")),
      ["@arnilo/prism-core", "effect/Effect", "effect/Layer", "unbash"]
    )
    assert.deepStrictEqual(
      files.filter((file) => file.includes("/agent/")),
      []
    )
  })

  it("T43: know no tool, protocol or package by name", () => {
    const { files } = loadedBy(join(core, "index.ts"))
    assert.deepStrictEqual(
      files.filter((file) => /mcp|shell|subprocess|coding|openai/i.test(file)),
      []
    )
  })

  it("L34: loop and artifact types have no field named after a host's domain", async () => {
    const { readFile } = await import("node:fs/promises")
    const types = await readFile(join(core, "ports/LoopStrategy.ts"), "utf8")
    assert.notMatch(types, /\b(workflow|node|step)\b\??:/i)
  })
})

describe("the MCP bridge", () => {
  const specifiers = sourcesOf(mcp).flatMap((file) =>
    importsOf(file).map(({ specifier }) => [relative(mcp, file), specifier] as const)
  )

  it("imports the official SDK in one module for each direction, and a client loads no server", () => {
    const sdk = specifiers.filter(([, specifier]) => specifier.startsWith("@modelcontextprotocol/"))
    assert.deepStrictEqual([...new Set(sdk.map(([file]) => file))].toSorted(), [
      "oauth/sdk.ts",
      "sdk.ts",
      "server/sdk.ts"
    ])
    assert.deepStrictEqual(
      sdk.filter(([file, specifier]) => specifier.includes("/server") !== file.startsWith("server/")),
      []
    )
  })

  it("loads the client's part or the server's", () => {
    const client = loadedBy(join(mcp, "index.ts"))
    const server = loadedBy(join(mcp, "server/index.ts"))
    assert.isFalse(client.modules.some((name) => name.startsWith("@modelcontextprotocol/server")))
    assert.isFalse(server.modules.some((name) => name.startsWith("@modelcontextprotocol/client")))
  })

  it("imports effect, core's public entries, node and nothing else", () => {
    const foreign = specifiers.filter(
      ([, specifier]) =>
        !/^(\.|effect\/\w|node:|@modelcontextprotocol\/(?:client|server))/.test(specifier) && !PUBLIC.has(specifier)
    )
    assert.deepStrictEqual(foreign, [])
  })
})

describe("packages", () => {
  it("import each other by public entries only", () => {
    const deep = [prism, codingTools, mcp].flatMap((root) =>
      sourcesOf(root).flatMap((file) =>
        importsOf(file)
          .filter(({ specifier }) => specifier.startsWith("@arnilo/") && !PUBLIC.has(specifier))
          .map(({ specifier }) => `${relative(repository, file)}: ${specifier}`)
      )
    )
    assert.deepStrictEqual(deep, [])
  })

  it("do not reach into another package's files", () => {
    const outside = [core, prism, codingTools, mcp].flatMap((root) =>
      sourcesOf(root).flatMap((file) =>
        importsOf(file)
          .filter(({ file: own }) => own !== undefined && !own.startsWith(root + sep))
          .map(({ specifier }) => `${relative(repository, file)}: ${specifier}`)
      )
    )
    assert.deepStrictEqual(outside, [])
  })
})

const PUBLIC = new Set([
  "@arnilo/prism-core",
  "@arnilo/prism-core/schema",
  "@arnilo/prism-core/session",
  "@arnilo/prism-core/testing",
  "@arnilo/prism-core/tool",
  "@arnilo/prism-core/validation/json-schema",
  "@arnilo/prism-core/providers/openai-compatible"
])
