/** A schema that was admitted and read, ready to judge values within its bounds. */
import { type SchemaLimitValues, ValidationLimits } from "../../limits/SchemaLimits.ts"
import { boundsFault, type WithinBounds, withinBounds } from "./bounds.ts"
import { type Coerced, coerceNode } from "./coerceNode.ts"
import { explainNode } from "./explainNode.ts"
import { generateCheck } from "./generate/generateCheck.ts"
import { giveBackMemory, takeMemory } from "./passedItems.ts"
import { type Problem, Report, root as rootPlace } from "./Report.ts"
import type { SchemaNode } from "./SchemaNode.ts"
import { steps, stepsExhausted } from "./steps.ts"

const { steps: stepLimit, hotAfter } = ValidationLimits.table

/** Nothing in it throws, and no call takes more than the steps that `ValidationLimits` grants. */
export class CompiledSchema {
  readonly #root: SchemaNode
  readonly #limits: SchemaLimitValues
  readonly #isWithin: WithinBounds
  /** Bounds and schema in one pass, once the schema is hot. */
  #generated: ((value: unknown) => boolean) | undefined
  #untilHot: number = hotAfter.hardCap

  constructor(root: SchemaNode, limits: SchemaLimitValues) {
    this.#root = root
    this.#limits = limits
    this.#isWithin = withinBounds(limits)
  }

  /** Whether `value` keeps the bounds and matches; false as well where that takes too many steps. */
  accepts(value: unknown): boolean {
    return this.problems(value) === undefined
  }

  /** Nothing where `value` is accepted; else the first problems in order of evaluation, at least one, `maxErrors` at most. */
  problems(value: unknown): ReadonlyArray<Problem> | undefined {
    const outer = steps.left
    const memory = takeMemory()
    try {
      if (--this.#untilHot === 0) this.generate()
      steps.left = stepLimit.hardCap
      return this.#judge(value)
    } catch (error) {
      return [{ at: rootPlace, message: reasonOf(error) }]
    } finally {
      steps.left = outer
      giveBackMemory(memory)
    }
  }

  /**
   * A value that is accepted, made from one that is not: text becomes what the schema asks for where its JSON is that
   * and the schema takes no string there. Nothing where `value` is accepted already, or where no such change helps.
   */
  coerce(value: unknown): Coerced | undefined {
    const outer = steps.left
    const memory = takeMemory()
    try {
      steps.left = stepLimit.hardCap
      if (this.#judge(value) === undefined || this.#faultOf(value) !== undefined) return undefined
      const coerced = coerceNode(this.#root, value)
      return this.#judge(coerced.value) === undefined ? coerced : undefined
    } catch {
      return undefined
    } finally {
      steps.left = outer
      giveBackMemory(memory)
    }
  }

  /** The second tier from now on. False where the platform does not let code be generated. */
  generate(): boolean {
    try {
      this.#generated = generateCheck(this.#root, { limits: this.#limits, isWithin: this.#isWithin })
    } catch {
      this.#generated = undefined // nested deeper than the stack of the generator is
    }
    return this.#generated !== undefined
  }

  #judge(value: unknown): ReadonlyArray<Problem> | undefined {
    // One and the same from start to end: a getter in the value may validate, too.
    const generated = this.#generated
    let gaveUp: unknown
    if (generated !== undefined) {
      try {
        if (generated(value)) return undefined
      } catch (error) {
        gaveUp = error
      }
    }
    const fault = this.#faultOf(value)
    if (fault !== undefined) return [{ at: rootPlace, message: fault }]
    if (gaveUp !== undefined) throw gaveUp
    if (generated === undefined && this.#root.check(value, undefined)) return undefined
    return this.#explain(value)
  }

  /** How a value breaks the bounds. */
  #faultOf(value: unknown): string | undefined {
    try {
      if (this.#isWithin(value, 0)) return undefined
    } catch (error) {
      if (error === stepsExhausted) throw error // else something in the value throws when it is read
    }
    return boundsFault(value, this.#limits)
  }

  #explain(value: unknown): ReadonlyArray<Problem> {
    const report = new Report(this.#limits.maxErrors)
    try {
      explainNode(this.#root, value, rootPlace, report)
    } catch (error) {
      report.add(rootPlace, reasonOf(error))
    }
    if (report.problems.length === 0) report.add(rootPlace, "must match the schema")
    return report.problems
  }
}

const reasonOf = (error: unknown): string => {
  if (error === stepsExhausted) return `validation takes more than ${stepLimit.hardCap} steps`
  return error instanceof RangeError ? "value is nested too deeply to be checked" : "value cannot be checked"
}
