/** The tools of an agent, as a service. */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { ToolDefinition, ToolRegistry } from "../ports/ToolDefinition.ts"
import { createToolRegistry } from "./ToolRegistry.ts"

/** What a model may ask for. Nothing is registered unless the host says so. */
export class Tools extends Context.Service<Tools, ToolRegistry>()("@arnilo/prism-core/tool/Tools") {
  /** A name that occurs twice is a defect of the layer. */
  static readonly layer = (tools: ReadonlyArray<ToolDefinition>) =>
    Layer.sync(Tools, () => createToolRegistry(tools, { duplicate: "error" }))
}
