/** What a server may ask of its host: by default nothing, and it is told so politely. */
import {
  type ApprovalGate,
  type HostValue,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  toPromise
} from "@arnilo/prism-core"
import type { JsonSchemaValidator } from "@arnilo/prism-core/validation/json-schema"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { boundText } from "./boundText.ts"
import { McpBridgeError } from "./errors/McpBridgeError.ts"
import { McpFixedLimits } from "./McpLimits.ts"
import type { ElicitResult, ServerRequests } from "./Remote.ts"
import { toBridgeError } from "./toBridgeError.ts"

/** A question that a server puts to a person. Its words are the server's: show them as such. */
export interface McpElicitation {
  readonly serverId: string
  readonly message: string
  /** JSON Schema of the answer. */
  readonly requestedSchema: JsonObject
}

export interface McpElicitationOptions {
  /** Asked whether the server may have an answer at all. */
  readonly approval: ApprovalGate["Service"]
  /**
   * Gives the answer, once approved; nothing means that the person declined. Without this, the answer is an empty object.
   * What an answer leaves out has the default of the server's schema; an answer that the schema refuses is declined.
   */
  readonly answer?: (
    request: McpElicitation,
    context: { readonly signal: AbortSignal }
  ) => HostValue<JsonObject | undefined>
}

/** Generates for a server: gets the parameters of `sampling/createMessage` and answers with its result. */
export type McpSampling = (
  params: JsonObject,
  context: { readonly serverId: string; readonly signal: AbortSignal }
) => HostValue<JsonObject>

export interface ServerRequestOptions {
  readonly serverId: string
  readonly elicitation?: McpElicitationOptions | undefined
  readonly sampling?: McpSampling | undefined
}

const { samplings } = McpFixedLimits

const METHOD_NOT_FOUND = -32_601

const declined: ElicitResult = { action: "decline" }

export const makeServerRequests = (
  { elicitation, sampling, serverId }: ServerRequestOptions,
  validator: Context.Service.Shape<typeof JsonSchemaValidator>
): ServerRequests => ({
  ...(elicitation !== undefined && {
    // While a person is asked, further questions are declined: a server cannot bury anybody under them.
    elicit: atMost(
      1,
      (params, signal) => settle(elicit(elicitation, readQuestion(serverId, params), validator), signal),
      () => declined
    )
  }),
  ...(sampling !== undefined && {
    sample: atMost(
      samplings.hardCap,
      (params, signal) =>
        // The SDK has checked that these are the parameters of the request.
        settle(
          hostEffect(() => sampling(params as JsonObject, { serverId, signal })),
          signal
        ),
      () => {
        throw new McpBridgeError(`More than ${samplings.hardCap} samplings at once`)
      }
    )
  }),
  refuse: (method) =>
    method === "elicitation/create"
      ? Promise.resolve(declined)
      : Promise.reject(Object.assign(new Error(`This host does not offer ${method}`), { code: METHOD_NOT_FOUND }))
})

/** Of those that come while so many are asked `refuse` decides. */
const atMost = <A>(
  max: number,
  ask: (params: unknown, signal: AbortSignal) => Promise<A>,
  refuse: () => A
): ((params: unknown, signal: AbortSignal) => Promise<A>) => {
  let asked = 0
  return async (params, signal) => {
    if (asked >= max) return refuse()
    asked += 1
    try {
      return await ask(params, signal)
    } finally {
      asked -= 1
    }
  }
}

const settle = <A>(effect: Effect.Effect<A, unknown>, signal: AbortSignal): Promise<A> =>
  toPromise((run) => Effect.runPromiseExit(run, { signal }), effect)

const hostEffect = <A>(call: () => HostValue<A>): Effect.Effect<A, unknown> =>
  Effect.suspend(() => {
    const answer = call()
    return Effect.isEffect(answer)
      ? answer
      : Effect.tryPromise({ try: () => Promise.resolve(answer), catch: (error) => toBridgeError(error) })
  })

const readQuestion = (serverId: string, params: unknown): McpElicitation => {
  const { message, requestedSchema } = params as { readonly message?: unknown; readonly requestedSchema?: unknown }
  const { hardCap } = McpFixedLimits.remoteTextBytes
  return {
    serverId,
    message: boundText(typeof message === "string" ? message : "", hardCap),
    requestedSchema: isJsonObject(requestedSchema) ? requestedSchema : {}
  }
}

/** The server's proposals: they stand where the answer leaves a property out. */
const defaultsOf = ({ properties }: JsonObject): ReadonlyArray<readonly [string, JsonValue]> =>
  isJsonObject(properties)
    ? Object.entries(properties).flatMap(([name, property]) =>
        isJsonObject(property) && property["default"] !== undefined ? [[name, property["default"]] as const] : []
      )
    : []

const elicit = Effect.fnUntraced(function* (
  { answer, approval }: McpElicitationOptions,
  question: McpElicitation,
  validator: Context.Service.Shape<typeof JsonSchemaValidator>
) {
  const { message, requestedSchema, serverId } = question
  const decision = yield* approval.ask({
    title: `MCP server ${serverId} asks for information`,
    detail: message,
    metadata: { mcp: { serverId, requestedSchema } }
  })
  if (!decision.approved) return declined
  const signal = yield* Effect.abortSignal
  const given = answer === undefined ? {} : yield* hostEffect(() => answer(question, { signal }))
  if (!isJsonObject(given)) return declined
  const content: JsonObject = Object.fromEntries([...defaultsOf(requestedSchema), ...Object.entries(given)])
  if (!validator.validate(requestedSchema, content).ok) return declined
  // Valid for the schema that the server sent; the SDK checks that its members are plain values.
  return { action: "accept", content: content as Record<string, never> } as const
}, Effect.scoped)
