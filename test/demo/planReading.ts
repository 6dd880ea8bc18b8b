/** The model of part one plans from what the tools told it. */
import type { Turn, WireMessage } from "./modelServer.ts"

const parse = (text: string | null | undefined): unknown => {
  try {
    return JSON.parse(text ?? "null")
  } catch {
    return text
  }
}

/** What the model does next: list, then look at everything at once, then report. */
export const planReading = (messages: ReadonlyArray<WireMessage>): Turn => {
  const results = messages.filter(({ role }) => role === "tool").map(({ content }) => parse(content))
  const [listed] = results
  if (!Array.isArray(listed)) {
    return { text: "First I look at what there is.", calls: [{ name: "list_files", arguments: { folder: "." } }] }
  }
  const files = listed.map(String).filter((file) => file.endsWith(".md"))
  if (results.length === 1) {
    const [first = "?"] = files
    return {
      text: `${files.length} pages. I count the words of each, and try what I should not.`,
      calls: [
        ...files.map((path) => ({ name: "count_words", arguments: { path } })),
        { name: "read_file", arguments: { path: first, maxLines: "all of them" } },
        { name: "delete_file", arguments: { path: first } },
        { name: "count_words", arguments: { path: first, follow: true } },
        { name: "read_file", arguments: { path: first, maxLines: 3 } }
      ]
    }
  }
  const counted = results.flatMap((result) =>
    typeof result === "object" && result !== null && "words" in result && "path" in result
      ? [{ path: String(result.path), words: Number(result.words) }]
      : []
  )
  const total = counted.reduce((sum, { words }) => sum + words, 0)
  const longest = counted.toSorted((a, b) => b.words - a.words)[0]
  return {
    text: `The docs have ${total} words on ${counted.length} pages; the longest is ${longest?.path} with ${longest?.words}.`,
    calls: []
  }
}
