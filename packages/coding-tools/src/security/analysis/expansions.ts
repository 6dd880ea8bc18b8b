/** Expansions that run what a variable holds, or set one. */
import type { SyntaxNode } from "unbash"

const NUMBER = /^(?:0x)?[\da-f]+$/i
const COMPARES_NUMBERS = new Set(["-eq", "-ne", "-lt", "-le", "-gt", "-ge"])

/**
 * Why an expansion cannot be decided, if so. Bash evaluates variables in arithmetic, and with them the subscripts that
 * their values spell: `x='a[$(command)]'; echo $((x))` runs the command.
 */
export const doubtAbout = (node: SyntaxNode): string | undefined => {
  switch (node.type) {
    case "ParameterExpansion": {
      const { prefix, index, operation, text } = node
      const opaque =
        prefix === "!" ||
        (index !== undefined && !/^(?:[@*]|\d+)$/.test(index.text)) ||
        operation?.type === "Transform" ||
        operation?.type === "Unknown" ||
        (operation?.type === "Default" && operation.operator.endsWith("=")) ||
        (operation?.type === "Slice" &&
          ![operation.offset, operation.length].every((word) => word === undefined || /^\s*-?\d*$/.test(word.text)))
      return opaque ? `what ${text} does is known only when it runs` : undefined
    }
    case "ArithmeticWord":
      return node.parts === undefined && NUMBER.test(node.value) && /^\d/.test(node.value)
        ? undefined
        : `arithmetic evaluates ${node.value}`
    case "ArithmeticExpansion":
    case "ArithmeticCommand":
      return node.expression === undefined ? "arithmetic that cannot be parsed" : undefined
    case "CommandExpansion":
    case "ProcessSubstitution":
    case "ArithmeticCommandExpansion":
      return node.script === undefined ? `${node.text} cannot be parsed` : undefined
    case "TestUnary":
      return /^-[vR]$/.test(node.operator) ? `${node.operator} evaluates ${node.operand.text}` : undefined
    case "TestBinary":
      return COMPARES_NUMBERS.has(node.operator) &&
        ![node.left, node.right].every((word) => /^"?(?:-?\d+|\$[#?])"?$/.test(word.text))
        ? `arithmetic evaluates ${node.left.text} ${node.operator} ${node.right.text}`
        : undefined
    case "ExtendedGlob":
      return `${node.text} is a pattern that shells read in different ways`
    case "HereDoc":
      return node.closing === undefined ? "a here-document without an end" : undefined
    case "Coproc":
      return "coproc sets variables"
    default:
      return undefined
  }
}
