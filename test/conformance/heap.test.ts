import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"

const MEGABYTE = 1_048_576

interface Load {
  readonly maxCompiledSchemas: number
  readonly schemas: number
  readonly refreshes: number
  /** Validations of each schema in one refresh. */
  readonly calls: number
}

/** Bytes on the heap after half of the refreshes, and after all: each hands over equal schemas that are new objects. */
const measure = async (load: Load): Promise<{ readonly early: number; readonly late: number }> => {
  const program = `
    import { createJsonSchemaArgumentValidator } from "@arnilo/prism-core/validation/json-schema"
    import { mcpSchemas } from "./mcpSchemas.ts"
    const { maxCompiledSchemas, schemas, refreshes, calls } = ${JSON.stringify(load)}
    const listed = mcpSchemas.slice(0, schemas).map(({ schema, valid }) => ({ schema, valid }))
    // What is no data, such as a function, is refused in any case and has no equal copy.
    const copy = (schema) => {
      try {
        return structuredClone(schema)
      } catch {
        return schema
      }
    }
    const validator = createJsonSchemaArgumentValidator({ maxCompiledSchemas })
    const refresh = () => {
      for (const { schema, valid } of listed) {
        const anew = copy(schema)
        for (let call = 0; call < calls; call++) validator.validate(anew, valid)
      }
    }
    const used = async () => {
      for (let round = 0; round < 4; round++) {
        globalThis.gc()
        await new Promise((resolve) => setImmediate(resolve))
      }
      return process.memoryUsage().heapUsed
    }
    const half = Math.ceil(refreshes / 2)
    for (let done = 0; done < half; done++) refresh()
    const early = await used()
    for (let done = half; done < refreshes; done++) refresh()
    console.log(JSON.stringify({ early, late: await used() }))
  `
  const args = ["--expose-gc", "-C", "@arnilo/source", "--input-type=module", "--eval", program]
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname })
  assert.strictEqual(stderr, "")
  return JSON.parse(stdout) as { early: number; late: number }
}

describe("tools that are listed anew again and again", { timeout: 120_000 }, () => {
  it("200 times 300 equal schemas leave the heap flat", async () => {
    const { early, late } = await measure({ maxCompiledSchemas: 512, schemas: 300, refreshes: 200, calls: 1 })
    assert.isBelow(late - early, MEGABYTE)
  })

  it("nor does it grow where the cache holds fewer schemas than there are", async () => {
    const { early, late } = await measure({ maxCompiledSchemas: 50, schemas: 300, refreshes: 200, calls: 1 })
    assert.isBelow(late - early, MEGABYTE)
  })

  it("nor by code that was generated for schemas which were dropped", async () => {
    const { early, late } = await measure({ maxCompiledSchemas: 20, schemas: 40, refreshes: 80, calls: 70 })
    assert.isBelow(late - early, MEGABYTE)
  })
})
