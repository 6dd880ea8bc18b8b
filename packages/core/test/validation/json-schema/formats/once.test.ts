import { describe, expect, it } from "vitest"
import { once } from "../../../../src/validation/json-schema/formats/once.ts"

describe("once", () => {
  it("makes nothing before the first call and one thing ever after", () => {
    let made = 0
    const get = once(() => ({ count: ++made }))
    expect(made).toBe(0)
    expect(get()).toBe(get())
    expect(made).toBe(1)
  })
})
