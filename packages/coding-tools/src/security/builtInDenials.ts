/**
 * Commands that no person is asked about: a tripwire on their text, not a parser. What slips by needs approval like any
 * other command.
 */

/** What a built-in pattern is about. */
export type DenialCategory =
  | "privilege escalation"
  | "world-writable"
  | "recursive delete of absolute path"
  | "download piped to shell"
  | "write to raw disk"
  | "make filesystem"
  | "raw copy"

const DENIALS: ReadonlyArray<readonly [DenialCategory, (text: string) => boolean]> = [
  ["privilege escalation", (text) => /\b(?:sudo|doas|pkexec)\b/i.test(text) || SWITCHES_USER.test(text)],
  ["world-writable", (text) => hasOperand(text, /\bchmod\b/i, /\b0*777\b/)],
  ["recursive delete of absolute path", (text) => deletesFromRoot(text)],
  ["download piped to shell", (text) => pipesDownloadToShell(text)],
  ["write to raw disk", (text) => />[|&]?[ \t]*\/dev\/(?:[svh]d[a-z]|nvme|mmcblk)/i.test(text)],
  ["make filesystem", (text) => /\bmkfs\b/i.test(text)],
  ["raw copy", (text) => hasOperand(text, /\bdd\b/i, /\bif=/i)]
]

/** `su` where a command begins: after an operator, an assignment, a keyword or a wrapper. */
const SWITCHES_USER =
  /(?:^|[;|&(){`\n\r!]|\b(?:then|do|else|elif|if|while|until|time|env|exec|command|nohup|nice)[ \t]|\w=\S{0,256}[ \t])[ \t]*(?:[^\s;|&()=]*\/)?su(?![^\s;|&)`}])/i

/** The category of the first built-in pattern that the command matches, as written or with its quoting taken away. */
export const builtInDenial = (command: string): DenialCategory | undefined => {
  const texts = [command, deobfuscate(command)]
  return DENIALS.find(([, matches]) => texts.some(matches))?.[0]
}

/** Without line continuations, backslashes and quotes; line breaks, tabs and `$IFS` are spaces. */
const deobfuscate = (command: string): string =>
  command
    .replaceAll(/\\\r?\n/g, "")
    .replaceAll(/[\\'"]/g, "")
    .replaceAll(/[\r\n\t]|\$IFS\b|\$\{IFS\}/g, " ")

/** Whether a program is followed by an operand before the next operator. Takes time in proportion to the text. */
const hasOperand = (text: string, program: RegExp, operand: RegExp): boolean =>
  text.split(/[;|&\n\r]/).some((part) => {
    const at = part.search(program)
    return at !== -1 && operand.test(part.slice(at))
  })

const deletesFromRoot = (text: string): boolean =>
  text
    .split(/\brm\b/)
    .slice(1)
    .some((rest) => {
      const words = (/^[^;|&\n\r`()<>]*/.exec(rest)?.[0] ?? "").split(/\s+/)
      if (words.includes("--no-preserve-root")) return true
      const has = (short: RegExp, long: string): boolean =>
        words.some((word) => short.test(word) || (word.length > 3 && long.startsWith(word)))
      return (
        has(/^-[a-z]*r/i, "--recursive") &&
        has(/^-[a-z]*f/i, "--force") &&
        words.some((word) => /^\/|[{,]\//.test(word))
      )
    })

const SHELLS = new Set(["sh", "bash", "dash", "zsh", "ksh"])

const pipesDownloadToShell = (text: string): boolean => {
  const download = /\b(?:curl|wget)\b/i.exec(text)
  if (download === null) return false
  const [, ...receivers] = text.slice(download.index).split(/(?<!\|)\|&?(?!\|)/)
  return receivers.some((receiver) => {
    const words = (/^[^;|&\n\r`)<>]*/.exec(receiver)?.[0] ?? "").split(/[\s({]+/)
    const program = words.find((word) => word !== "" && !word.includes("=") && !word.startsWith("-") && !isEnv(word))
    return program !== undefined && SHELLS.has(baseOf(program))
  })
}

const baseOf = (word: string): string => word.slice(word.lastIndexOf("/") + 1).toLowerCase()
const isEnv = (word: string): boolean => baseOf(word) === "env"
