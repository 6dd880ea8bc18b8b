import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Provider } from "../../src/provider/Provider.ts"
import { createScriptedProvider } from "../../src/testing/ScriptedProvider.ts"
import { model } from "../run/runs.ts"

const one = createScriptedProvider([], { id: "one" })
const resolved = Effect.map(Provider, ({ resolve }) => [resolve(model)?.id, resolve({ ...model, provider: "two" })?.id])

describe("Provider", () => {
  it.effect("layer has one provider for every model", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* resolved, ["one", "one"])
    }).pipe(Effect.provide(Provider.layer(one)))
  )

  it.effect("layerResolver finds providers by model, or none", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* resolved, ["one", undefined])
    }).pipe(Effect.provide(Provider.layerResolver(({ provider }) => (provider === "mock" ? one : undefined))))
  )
})
