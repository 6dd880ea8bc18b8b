/** What a script's own assignments say about its variables. */
import { type Assignment, type Command, forEachChild, type SyntaxNode, type Word } from "unbash"
import { readWord, type VariableFacts, type Variables } from "./words.ts"

/** Builtins that set variables which they are given by name. */
const SETS = new Set(
  "read printf export declare typeset local readonly mapfile readarray getopts let unset wait".split(" ")
)
const NOTHING: VariableFacts = { quoted: false, bare: false }

/** Of a variable that is set in several places the weakest facts hold; where it cannot be told, none do. */
export const readVariables = (script: SyntaxNode): Variables => {
  const facts = new Map<string, VariableFacts>()
  const learn = (name: string, { quoted, bare }: VariableFacts): void => {
    const known = facts.get(name)
    facts.set(name, { quoted: quoted && known?.quoted !== false, bare: bare && known?.bare !== false })
  }
  const visit = (node: SyntaxNode): void => {
    if (node.type === "Assignment") learn(node.name, factsOfAssignment(node))
    if (node.type === "For") learn(node.name.value, factsOfAll(node.wordlist))
    if (node.type === "Select") learn(node.name.value, NOTHING)
    if (node.type === "ParameterExpansion" && node.operation?.type === "Default") {
      if (node.operation.operator.endsWith("=")) learn(node.parameter, NOTHING)
    }
    // Anywhere: `command read x` sets one, too.
    if (node.type === "Command" && [node.name, ...node.suffix].some(isSetter)) {
      for (const word of node.suffix) {
        if (word.type === "Word") for (const name of word.text.match(/\w+/g) ?? []) learn(name, NOTHING)
      }
    }
    forEachChild(node, visit)
  }
  visit(script)
  return facts
}

const isSetter = (word: Command["suffix"][number] | undefined): boolean => word?.type === "Word" && SETS.has(word.value)

const factsOfAssignment = ({ value, append, index }: Assignment): VariableFacts =>
  value.type === "ArrayValue" || append === true || index !== undefined ? NOTHING : factsOfWord(value)

const factsOfAll = (words: ReadonlyArray<Word> | undefined): VariableFacts => {
  if (words === undefined) return NOTHING
  const all = words.map(factsOfWord)
  return { quoted: all.every((each) => each.quoted), bare: all.every((each) => each.bare) }
}

const factsOfWord = (word: Word): VariableFacts => {
  const read = readWord(word, new Map())
  if (!read.isStatic) return { quoted: !read.mayBeOption, bare: false }
  return { quoted: !read.value.startsWith("-"), bare: /^[\w./][\w./-]*$/.test(read.value) }
}
