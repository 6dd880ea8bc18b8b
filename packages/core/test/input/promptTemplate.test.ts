import { assert, describe, it } from "@effect/vitest"
import { renderPromptTemplate } from "../../src/input/promptTemplate.ts"

describe("renderPromptTemplate", () => {
  it("S50: a missing variable throws by default, also one that is only inherited or has no text", () => {
    const missing = "Missing prompt template variable: "
    assert.throws(() => renderPromptTemplate("{{name}}", {}), `${missing}name`)
    assert.throws(() => renderPromptTemplate("{{toString}}", {}), `${missing}toString`)
    assert.throws(() => renderPromptTemplate("{{__proto__}}", {}), `${missing}__proto__`)
    assert.throws(() => renderPromptTemplate("{{a}}", Object.create({ a: "inherited" })), `${missing}a`)
    assert.throws(() => renderPromptTemplate("{{a}}", { a: undefined }), `${missing}a`)
    assert.throws(() => renderPromptTemplate("{{a}}", { a: () => 1 }), `${missing}a`)
  })

  it("S50: preserve leaves a missing variable as it stands", () => {
    assert.strictEqual(renderPromptTemplate("{{a}} {{b}}", { b: "x" }, { missing: "preserve" }), "{{a}} x")
    assert.strictEqual(renderPromptTemplate("{{a}}", { a: undefined }, { missing: "preserve" }), "{{a}}")
  })

  it("S50: strings stand verbatim and are not searched again", () => {
    assert.strictEqual(renderPromptTemplate("<{{a_1}}{{a_1}}>", { a_1: '$& {{b}} "q"' }), '<$& {{b}} "q"$& {{b}} "q">')
    assert.strictEqual(renderPromptTemplate("{{a}}", { a: "" }), "")
  })

  it("S50: other values stand as JSON with sorted keys", () => {
    const value = { b: [1, { z: null, y: true }], a: "é", 10: 1, 9: 2, gone: undefined, when: new Date(0) }
    assert.strictEqual(
      renderPromptTemplate("{{v}}", { v: value }),
      '{"10":1,"9":2,"a":"é","b":[1,{"y":true,"z":null}],"when":"1970-01-01T00:00:00.000Z"}'
    )
    assert.strictEqual(renderPromptTemplate("{{n}} {{t}} {{nil}}", { n: 1.5, t: true, nil: null }), "1.5 true null")
  })

  it("S50: only letters, digits and _ in double braces are a variable", () => {
    const text = "{{ a }} {{a-b}} {a} {{}} {{{a}}}"
    assert.strictEqual(renderPromptTemplate(text, { a: "X" }), "{{ a }} {{a-b}} {a} {{}} {X}")
  })
})
