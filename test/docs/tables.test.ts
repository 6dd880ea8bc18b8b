import { readdirSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import * as core from "@arnilo/prism-core"
import { AgentEvent } from "@arnilo/prism-core/schema"
import { assert, describe, it } from "@effect/vitest"
import * as Predicate from "effect/Predicate"
import * as SchemaAST from "effect/SchemaAST"
import { codesOf, readPage, repository, tablesOf } from "./pages.ts"

type Rows = ReadonlyArray<ReadonlyArray<string>>
const sorted = <A>(rows: ReadonlyArray<A>): ReadonlyArray<A> =>
  rows.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))

interface Limit {
  readonly unit: string
  readonly default?: number
  readonly hardCap: number
}

const isTable = (value: unknown): value is { readonly table: Readonly<Record<string, Limit>> } =>
  typeof value === "object" && value !== null && "table" in value

/** Every table of bounds that the kernel has, by the name it is exported under. */
const readLimits = async (): Promise<ReadonlyMap<string, Readonly<Record<string, Limit>>>> => {
  const folder = join(repository, "packages/core/src/limits")
  const modules: ReadonlyArray<object> = await Promise.all(
    readdirSync(folder).map((file) => import(pathToFileURL(join(folder, file)).href))
  )
  const exported = modules.flatMap((module) => Object.entries(module))
  return new Map(exported.flatMap(([name, value]) => (isTable(value) ? [[name, value.table] as const] : [])))
}

const rowsOf = (table: Readonly<Record<string, Limit>>): Rows =>
  Object.entries(table).map(([name, limit]) => [
    `\`${name}\``,
    limit.unit,
    limit.default === undefined ? "none" : limit.default.toLocaleString("en-US"),
    limit.hardCap.toLocaleString("en-US")
  ])

describe("docs/limits.md", () => {
  const documented = [...tablesOf(readPage("docs/limits.md"))].map(
    ([heading, rows]) => [codesOf(heading)[0] ?? heading, rows.map((cells) => cells.slice(0, 4))] as const
  )

  it("has a section for every table of bounds, and for nothing else", async () => {
    const tables = await readLimits()
    assert.deepStrictEqual(sorted(documented.map(([name]) => name)), sorted([...tables.keys()]))
    assert.include([...tables.keys()], "RunLimits")
  })

  it("gives unit, default and hard cap of every bound", async () => {
    const tables = await readLimits()
    assert.deepStrictEqual(
      sorted(documented.map(([name, rows]) => [name, sorted(rows)])),
      sorted([...tables].map(([name, table]) => [name, sorted(rowsOf(table))]))
    )
  })
})

/** The bounds of a package, by the names of its tables. */
const boundsOf = async (file: string): Promise<ReadonlyMap<string, Readonly<Record<string, Limit>>>> => {
  const module: object = await import(pathToFileURL(join(repository, file)).href)
  return new Map(Object.entries(module).filter(([, value]) => typeof value === "object"))
}

describe("docs/mcp.md", () => {
  const page = tablesOf(readPage("docs/mcp.md"))

  it("gives unit, default and hard cap of every bound", async () => {
    const tables = await boundsOf("packages/mcp/src/McpLimits.ts")
    const documented = [...page]
      .map(([heading, rows]) => [codesOf(heading)[0] ?? "", rows.map((cells) => cells.slice(0, 4))] as const)
      .filter(([name]) => name.endsWith("Limits"))
    assert.deepStrictEqual(
      sorted(documented.map(([name, rows]) => [name, sorted(rows)])),
      sorted([...tables].map(([name, table]) => [name, sorted(rowsOf(table))]))
    )
    assert.include([...tables.keys()], "McpLimits")
  })

  it("has every error class with its code, and no other", async () => {
    const { McpAuthorizationError, McpBridgeClosedError, McpBridgeError, McpRequestError, McpToolNameCollisionError } =
      await import("@arnilo/prism-mcp")
    const classes = [
      new McpBridgeError("x"),
      new McpToolNameCollisionError("x", "x"),
      new McpAuthorizationError("x"),
      new McpBridgeClosedError(),
      new McpRequestError("x")
    ]
    assert.deepStrictEqual(
      page.get("Errors")?.map(([name = "", code = ""]) => [codesOf(name)[0], codesOf(code)[0]]),
      classes.map(({ code, name }) => [name, code])
    )
  })
})

const order = (events: ReadonlyArray<readonly [string | undefined, ReadonlyArray<string>]>) =>
  sorted(events.map(([type, fields]) => [type, sorted(fields)]))

describe("docs/events.md", () => {
  const page = tablesOf(readPage("docs/events.md"))
  // Tables of events have a type and its fields in the first two cells; those of options have not.
  const documented = [...page]
    .filter(([heading]) => heading.startsWith("Of a "))
    .flatMap(([, rows]) => rows.map(([type = "", fields = ""]) => [codesOf(type)[0], codesOf(fields)] as const))

  const declared = AgentEvent.members.map((member) => {
    const { type, ...fields } = member.fields
    const names = Object.entries(fields).map(([name, field]) => (SchemaAST.isOptional(field.ast) ? `${name}?` : name))
    return [type.schema.literal, names] as const
  })

  it("has every event, and no other", () => {
    assert.deepStrictEqual(sorted(documented.map(([type]) => type)), sorted(declared.map(([type]) => type)))
    assert.include(
      documented.map(([type]) => type),
      "tool_execution_blocked"
    )
  })

  it("gives the fields of every event, and which may be absent", () => {
    assert.deepStrictEqual(order(documented), order(declared))
  })
})

/** The kernel takes this one's code from where it is thrown; the compiler keeps the list complete. */
const STRUCTURED_OUTPUT = {
  unsupported_model: true,
  invalid_name: true,
  invalid_schema: true,
  schema_too_large: true
} satisfies Record<core.StructuredOutputError["code"], true>

type ErrorClass = new (props: object) => Error & { readonly code?: unknown }
const isErrorClass = (value: unknown): value is ErrorClass =>
  typeof value === "function" && value.prototype instanceof Error

describe("docs/errors.md", () => {
  const page = tablesOf(readPage("docs/errors.md"))
  const documented = (page.get("Classes") ?? []).map(
    ([name = "", code = ""]) => [codesOf(name)[0] ?? "", codesOf(code)] as const
  )
  const declared = Object.entries(core).flatMap(([name, value]) => {
    if (!isErrorClass(value)) return []
    const { code } = new value({})
    const codes = name === "StructuredOutputError" ? Object.keys(STRUCTURED_OUTPUT) : code === undefined ? [] : [code]
    return [[name, codes] as const]
  })

  it("has every error class with its code, and no other", () => {
    assert.deepStrictEqual(sorted<unknown>(documented), sorted<unknown>(declared))
    assert.include(
      documented.map(([name]) => name),
      "ToolTimeoutError"
    )
  })

  it("names classes that have the tag of their name", () => {
    const classes = Object.entries(core).filter(([, value]) => isErrorClass(value))
    const untagged = classes.filter(([name, value]) => isErrorClass(value) && !Predicate.isTagged(new value({}), name))
    assert.deepStrictEqual(
      untagged.map(([name]) => name),
      []
    )
    assert.isAbove(classes.length, 10)
  })
})

describe("READMEs of packages", () => {
  it.each(["core", "prism", "mcp"])("name every entry of packages/%s, and no other", (folder) => {
    const manifest: { readonly name: string; readonly exports: object } = JSON.parse(
      readPage(`packages/${folder}/package.json`).text
    )
    const entries = Object.keys(manifest.exports).filter((entry) => entry !== "./package.json")
    const rows = [...tablesOf(readPage(`packages/${folder}/README.md`)).values()].flat()
    assert.deepStrictEqual(
      sorted(rows.map(([entry = ""]) => codesOf(entry)[0])),
      sorted(entries.map((entry) => `${manifest.name}${entry.slice(1)}`))
    )
  })
})
