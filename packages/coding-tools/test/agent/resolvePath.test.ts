import { homedir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { resolvePath } from "../../src/agent/resolvePath.ts"

const refusal = (path: unknown): string => {
  try {
    return `resolved: ${resolvePath("/base", path)}`
  } catch (error) {
    return (error as Error).message
  }
}

describe("resolvePath", () => {
  it("CT15: resolves against the directory, and expands what stands for a place", () => {
    for (const [path, expected] of [
      ["a", "/base/a"],
      ["./a/../b", "/base/b"],
      ["/a", "/a"],
      ["~", homedir()],
      ["~/a b", join(homedir(), "a b")],
      ["~a", "/base/~a"],
      ["@a", "/base/a"],
      ["@@a", "/base/@a"],
      ["@~/a", join(homedir(), "a")],
      ["a@b", "/base/a@b"],
      ["file:///a%20b", "/a b"],
      ["@file://localhost/a", "/a"]
    ] as const) {
      assert.strictEqual(resolvePath("/base", path), expected, path)
    }
  })

  it("CT15: takes every space for a plain one", () => {
    const spaces = [0xa0, 0x202f, 0x205f, 0x3000, ...Array.from({ length: 11 }, (_, at) => 0x2000 + at)]
    for (const space of spaces) {
      assert.strictEqual(resolvePath("/base", `a${String.fromCodePoint(space)}b`), "/base/a b", space.toString(16))
    }
    assert.strictEqual(resolvePath("/base", "a\u200Bb\u1680c"), "/base/a\u200Bb\u1680c")
  })

  it("CT17, CT18: refuses what is no path, has a NUL, or is a URL of no local file", () => {
    for (const path of [undefined, null, "", 7, ["a"]]) {
      assert.strictEqual(refusal(path), "path is required and must be a non-empty string.")
    }
    for (const path of ["\0", "a\0b", "file:///a%00b"]) {
      assert.strictEqual(refusal(path), "path must not contain a NUL character.")
    }
    for (const path of ["file://elsewhere.example/a", "file:///a%2Fb", "file:///%zz", "file://[/a"]) {
      assert.strictEqual(refusal(path), `path is no local file URL: ${path}`)
    }
  })
})
