/** A schema validator in the place where dispatch asks a `ToolValidator`. */
import type { ToolArgumentValidationResult, ToolArgumentValidator, ToolValidator } from "../ports/ToolDefinition.ts"

export interface ToolParameterValidatorOptions {
  /** What becomes of a call whose tool has no `parameters`: let through (`allow`, the default) or blocked. */
  readonly missingSchema?: "allow" | "reject" | undefined
}

/**
 * Checks the arguments of a call against its tool's `parameters`. The refusal joins the validator's errors with `; `,
 * each as `path: message`, and carries the validator's code. Anything but `ok: true` is a refusal.
 */
export const createToolParameterValidator =
  (validator: ToolArgumentValidator, options: ToolParameterValidatorOptions = {}): ToolValidator =>
  (tool, args) => {
    if (tool.parameters === undefined) {
      return options.missingSchema === "reject" ? `Tool ${tool.name} has no parameters schema` : undefined
    }
    const result = validator.validate(tool.parameters, args)
    const { ok }: { readonly ok: unknown } = result
    if (ok === true) return undefined
    const message = describe(result) || `Tool arguments failed validation: ${tool.name}`
    return result.code === undefined ? message : { message, code: result.code }
  }

const describe = (result: ToolArgumentValidationResult): string =>
  (result.errors ?? []).map(({ path, message }) => (path ? `${path}: ${message}` : message)).join("; ")
