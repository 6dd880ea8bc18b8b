import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { costAt } from "../../../../src/validation/json-schema/patterns/Cost.ts"
import { parsePattern } from "../../../../src/validation/json-schema/patterns/parsePattern.ts"
import { patternCost } from "../../../../src/validation/json-schema/patterns/patternCost.ts"
import type { PatternNode } from "../../../../src/validation/json-schema/patterns/PatternNode.ts"
import { has } from "../../../../src/validation/json-schema/patterns/CharacterSet.ts"
import { numbersFrom, pick, randomPattern } from "./regexpText.ts"

const costOf = (source: string) => patternCost(Result.getOrThrow(parsePattern(source, true)))
const degreeOf = (source: string): number => {
  const cost = costOf(source)
  return cost[0] === Infinity ? Infinity : Math.max(1, cost.length - 1)
}

/** Tries to take a character, as a backtracking engine makes them from everywhere until it has a match. */
const triesOf = (root: PatternNode, subject: string): number => {
  let tries = 0
  const stop = new Error("enough")
  const run = (node: PatternNode, at: number, go: (at: number) => void): void => {
    switch (node.type) {
      case "set":
        if (++tries > 3_000_000) throw stop
        if (at < subject.length && has(node.set, subject.charCodeAt(at))) go(at + 1)
        return
      case "group":
        return run(node.body, at, go)
      case "sequence": {
        const from = (i: number, position: number): void =>
          i === node.items.length ? go(position) : run(node.items[i]!, position, (end) => from(i + 1, end))
        return from(0, at)
      }
      case "choice":
        for (const item of node.items) run(item, at, go)
        return
      case "repeat": {
        const more = (count: number, position: number): void => {
          if (count < node.max)
            run(node.body, position, (end) => {
              if (end > position || count < node.min) more(count + 1, end)
            })
          if (count >= node.min) go(position)
        }
        return more(0, at)
      }
      case "edge":
        if (node.edge === "start" ? at === 0 : node.edge === "end" ? at === subject.length : true) go(at)
        return
      default:
        throw new Error(`not made here: ${node.type}`)
    }
  }
  try {
    for (let at = 0; at <= subject.length; at++) {
      run(root, at, () => {
        throw stop
      })
    }
  } catch (error) {
    if (error !== stop) throw error
  }
  return tries
}

describe("patternCost", () => {
  it("common patterns cost in proportion to the subject", () => {
    const linear = String.raw`^[a-z][a-z0-9-]*$
^\d{4}-\d{2}-\d{2}$
^[A-Za-z_$][\w$]*$
^https?://
\S
[a-z]+
^[^@\s]+@[^@\s]+$
^.{1,4096}$
^(GET|POST)$
^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$
^([a-z0-9]+(-[a-z0-9]+)*)(\.[a-z]+)*$
^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$
^(?=.*[a-z])(?=.*\d).{8,}$
^(['"]).*\1$
^(/[^/]+)+$
^-?\d+(\.\d+)?([eE][+-]?\d+)?$`
    for (const source of linear.split("\n")) {
      assert.strictEqual(degreeOf(source), 1, source)
      assert.isAtMost(costOf(source)[1] ?? 0, 128, source)
    }
  })

  it("a loop that may begin anywhere, or give way to the next one anywhere, adds a degree", () => {
    assert.strictEqual(degreeOf(String.raw`\s+$`), 2)
    assert.strictEqual(degreeOf("^a*a*$"), 2)
    assert.strictEqual(degreeOf("a*a*$"), 3)
    assert.strictEqual(degreeOf("^a*a*a*a*a*$"), 5)
    assert.strictEqual(degreeOf(String.raw`^[^@\s]+@[^@\s]+\.[^@\s]+$`), 2)
    assert.strictEqual(degreeOf("^(?:(?=.*b)a)*$"), 2)
    assert.strictEqual(degreeOf("^(?:(?<=b.*)a)*$"), 2)
    assert.strictEqual(degreeOf(String.raw`^(.*),\1!$`), 2)
  })

  it("a loop in which the same text has two ways has no bound", () => {
    const catastrophic = String.raw`^(a+)+$
(a|a)*$
(a|aa)+$
^(([a-z])+.)+[A-Z]([a-z])+$
(x+x+)+y
^(\w+\s?)*$
^(?:a?b?)*$
^(?:a*)*$
^(?:(?:a|b)*c?)*$
^(?=(a+)+$)
(?<!^(a+)+)b
^(\w+([.-]?\w+)*)@
^((a|b)\2*)*$`
    for (const source of catastrophic.split("\n")) assert.strictEqual(degreeOf(source), Infinity, source)
  })

  it("is no less than what a backtracking engine does", () => {
    const next = numbersFrom(7)
    const atoms = ["a", "b", "[ab]", "[^a]", ".", "ab", "ba", "^", "$", ""]
    let checked = 0
    for (let i = 0; i < 4_000; i++) {
      const source = `${pick(next, ["", "^"])}${randomPattern(next, 4, atoms)}${pick(next, ["$", "", "!"])}`
      if (/\(\?[=!<]/.test(source)) continue
      const parsed = Result.getOrThrow(parsePattern(source, true))
      const cost = patternCost(parsed)
      if (cost[0] === Infinity) continue
      const pump = pick(next, ["a", "b", "ab", "aab"])
      for (const length of [3, 12, 40]) {
        const bound = costAt(cost, length + 2)
        if (bound > 1_000_000) continue
        const subject = `${pump.repeat(Math.floor(length / pump.length))}!`
        assert.isAtMost(triesOf(parsed.node, subject), bound, `${source} on ${subject}: ${JSON.stringify(cost)}`)
        checked++
      }
    }
    assert.isAbove(checked, 5_000)
  }, 60_000)
})
