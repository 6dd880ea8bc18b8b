/** How long the platform takes to compile a pattern, which it does on first use. */
import type { PatternNode } from "./PatternNode.ts"
export const nativeWeight = (node: PatternNode): number => (node.type === "look" ? 0 : 0)
