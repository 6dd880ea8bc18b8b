/** The sections of a request: what each one says and in which order they stand. */
import { toolMessage } from "../dispatch/dispatchToolCallsInOrder.ts"
import type {
  Attachment,
  InputBuilder,
  InputLayout,
  InputParts,
  LoadedResource,
  PromptBuilder,
  PromptParts,
  ResourceLoader,
  Skill
} from "../ports/Input.ts"
import type { PermissionPolicy } from "../ports/Policies.ts"
import { drivePromise, unstoppable, waitFor, type Steps } from "../ports/Steps.ts"
import type { ToolDefinition } from "../ports/ToolDefinition.ts"
import type { Message } from "../schema/Message.ts"
import type { ModelConfig } from "../schema/Model.ts"
import type { ContextBlock } from "../schema/ProviderRequest.ts"
import { assertPermissionSteps } from "../security/Permission.ts"
import { inputMessages } from "./inputMessages.ts"

const textMessage = (role: "system" | "user", text: string): Message => ({ role, content: [{ type: "text", text }] })

const instructionMessages = (
  parts: Pick<InputParts, "systemInstructions" | "developerInstructions">
): Array<Message> => [
  ...parts.systemInstructions.map((text) => textMessage("system", `System instruction:\n${text}`)),
  ...parts.developerInstructions.map((text) => textMessage("system", `Developer instruction:\n${text}`))
]
const summaryMessage = (text: string): Message => textMessage("system", `Summary:\n${text}`)
const contextMessage = ({ content, title = "Context" }: ContextBlock): Message =>
  textMessage("system", `${title}:\n${content}`)

const skillMessages = (skills: ReadonlyArray<Skill>): Array<Message> =>
  skills.flatMap(({ instructions, name }) =>
    instructions === undefined || instructions === "" ? [] : [textMessage("system", `Skill ${name}:\n${instructions}`)]
  )

const toolLine = ({ description, name }: ToolDefinition): string =>
  description === undefined ? `- ${name}` : `- ${name}: ${description}`

/** Left out for a model that takes tools: its request carries their schemas. */
const toolMessages = (tools: ReadonlyArray<ToolDefinition>, model: ModelConfig): Array<Message> =>
  tools.length === 0 || model.capabilities?.tools === true
    ? []
    : [textMessage("system", `Available tools:\n${tools.map(toolLine).join("\n")}`)]

/** Where attachments that are only named come from. */
export interface AttachmentSource {
  readonly resourceLoader?: ResourceLoader | undefined
  readonly permission?: PermissionPolicy | undefined
}

function* loadResource(uri: string, source: AttachmentSource, signal: AbortSignal): Steps<LoadedResource> {
  if (source.resourceLoader === undefined) throw new Error(`Resource loader required for ${uri}`)
  yield* assertPermissionSteps(source.permission, { kind: "resource", action: "load", target: uri })
  return yield* waitFor(source.resourceLoader.load(uri, { signal }))
}

/** An attachment that brings text or content is sent as it is; only one that has neither is loaded. */
function* attachmentMessage(attachment: Attachment, source: AttachmentSource, signal: AbortSignal): Steps<Message> {
  const { content = [], name, text, uri } = attachment
  if (uri !== undefined && text === undefined && content.length === 0) {
    const loaded = yield* loadResource(uri, source, signal)
    return textMessage("user", `Resource ${name ?? loaded.name ?? uri}:\n${loaded.text}`)
  }
  const label = name === undefined ? "" : `Attachment ${name}:\n`
  return {
    role: "user",
    content: [...(text === undefined ? [] : [{ type: "text" as const, text: label + text }]), ...content]
  }
}

function* attachmentMessages(
  attachments: ReadonlyArray<Attachment>,
  source: AttachmentSource,
  signal: AbortSignal
): Steps<Array<Message>> {
  const messages: Array<Message> = []
  for (const attachment of attachments) messages.push(yield* attachmentMessage(attachment, source, signal))
  return messages
}

/** The default input builder as steps. */
export function* buildInputSteps(
  parts: InputParts,
  layout: InputLayout,
  source: AttachmentSource,
  signal: AbortSignal
): Steps<ReadonlyArray<Message>> {
  const instructions = instructionMessages(parts)
  const attachments = yield* attachmentMessages(parts.attachments, source, signal)
  const summaries = parts.summaries.map(summaryMessage)
  const results = parts.toolResults.map(toolMessage)
  const input = inputMessages(parts.input)
  return layout === "legacy"
    ? [...instructions, ...summaries, ...parts.history, ...input, ...attachments, ...results]
    : [...instructions, ...attachments, ...summaries, ...parts.history, ...results, ...input]
}

/**
 * The input builder of a run that has none of its own. `cache_aware` sends instructions, attachments, summaries, history, tool
 * results, input; `legacy` instructions, summaries, history, input, attachments, tool results. An attachment that has only a
 * URI needs the loader and permission `resource:<uri>:load`; without a policy all is permitted.
 */
export const createDefaultInputBuilder = (source: AttachmentSource = {}): InputBuilder => ({
  build: (parts, { layout, signal }) => drivePromise(buildInputSteps(parts, layout, source, signal), unstoppable)
})

/** The default prompt builder: context, skills and the list of tools, then the messages. */
export const buildPrompt = ({ context, messages, model, skills, tools }: PromptParts): ReadonlyArray<Message> => [
  ...context.map(contextMessage),
  ...skillMessages(skills),
  ...toolMessages(tools, model),
  ...messages
]

/** The prompt builder of a run that has none of its own: context, skills and the list of tools stand before the messages. */
export const createDefaultPromptBuilder = (): PromptBuilder => ({ build: buildPrompt })

/** Everything that stands before the history when there is neither context nor an attachment; the same in both layouts. */
export const preambleMessages = (
  parts: Pick<PromptParts, "model" | "skills" | "tools"> &
    Pick<InputParts, "systemInstructions" | "developerInstructions" | "summaries">
): ReadonlyArray<Message> => [
  ...skillMessages(parts.skills),
  ...toolMessages(parts.tools, parts.model),
  ...instructionMessages(parts),
  ...parts.summaries.map(summaryMessage)
]
