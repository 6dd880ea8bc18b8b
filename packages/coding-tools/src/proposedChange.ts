/** What a file tool is about to write, from the tool to whoever is asked about it. */
import type { ExecutionAction, Metadata } from "@arnilo/prism-core"

/** The whole content of a file, or texts of it and what takes their place: as the model asked for it. */
export type ProposedChange =
  | { readonly content: string }
  | { readonly edits: ReadonlyArray<{ readonly oldText: string; readonly newText: string }> }

/** By the action's metadata and not in it: what a policy logs of an action holds no contents of files. */
const proposals = new WeakMap<Metadata, ProposedChange>()

export const propose = (metadata: Metadata, change: ProposedChange): void => void proposals.set(metadata, change)

/** Undefined for actions of other tools, and where a policy handed on other metadata than it was given. */
export const proposedChange = ({ metadata }: ExecutionAction): ProposedChange | undefined =>
  metadata === undefined ? undefined : proposals.get(metadata)
