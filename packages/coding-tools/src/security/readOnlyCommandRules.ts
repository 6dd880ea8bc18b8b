/** Rules for `commandAnalysis: "shell"` that let programs run which only read. */
import type { CommandRule } from "./CommandRules.ts"

/** They read, write to their output or end the script, whatever their words are. */
const ALWAYS = [
  "ls cat head tail wc cut tr nl tac rev fold fmt column expand unexpand paste join comm cmp diff grep egrep fgrep stat du",
  "df basename dirname realpath readlink pwd cd echo true false : expr seq sleep id whoami groups uname uptime nproc",
  "which type ps free locale md5sum sha1sum sha256sum sha512sum cksum sum b2sum base32 od hexdump jq exit return",
  "break continue pgrep pidof cal tty logname users numfmt tsort factor zcat printenv"
].flatMap((line) => line.split(" "))

/** Signs, a slash apart, that stand for themselves without quotes. */
const PLAIN = String.raw`[\w@%+=:,.^~!-]`
/** One word that the shell leaves as it is, and no option. */
const WORD = `(?!-)(?:/|${PLAIN})+`
/** In a format of `printf`: one that does not set a variable. */
const CONVERSION = String.raw`%(?:%|[-+ #*.\dhlLjzt]*[abcdeEfFgGiouxXqsQ])`

/** A program, but with none of these as the beginning of a word. */
const without = (program: string, options: string): RegExp =>
  new RegExp(`^(?:${program})(?!.* '?(?:${options}))(?: |$)`, "s")

const GIT_READS =
  "status|diff|log|show|shortlog|describe|rev-parse|rev-list|ls-files|ls-tree|cat-file|blame|grep|name-rev|merge-base|for-each-ref|show-ref|count-objects|check-ignore|diff-tree|diff-index|whatchanged|cherry"

/** A file or a name: no option, and nothing that would need quotes. */
const OPERANDS = String.raw`(?: [^-'\s]\S*)*`

const READS: ReadonlyArray<RegExp> = [
  // `-v name` sets or evaluates what it names.
  without(String.raw`test|\[`, "-[vR]"),
  without("sort", String.raw`-\w*[oT]|--(?:o|co|t)`),
  without("find", "-(?:delete|fls|fprint|files0)"),
  without("rg", "--(?:pre|hostname-bin)"),
  without("fd", String.raw`-\w*[xX]|--exec`),
  without("tree", String.raw`-\w*[oR]|--output`),
  // An operand without a plus sets the clock.
  new RegExp(
    String.raw`^date(?: -[uR]+| -I[a-z]*| --(?:utc|universal|rfc-email|(?:iso-8601|rfc-3339|date|reference)=\S+)| '--date=[^']*'| -[dr] ?(?:'[^']*'|${WORD})| \+\S*| '\+[^']*')*$`
  ),
  without("file", String.raw`-\w*[Cm]|--(?:c|m)`),
  // On macOS `-o` names a file to write. (There `arch` runs a program; elsewhere it takes no words.)
  without("base64", String.raw`-\w*o|--o`),
  /^arch$/,
  // A second operand is written: nothing that may become two words.
  new RegExp(String.raw`^uniq(?: -[a-zA-Z\d]+)*(?: ${WORD})?$`),
  // The script is known to the letter: quoted, or without a sign that the shell expands.
  ...[
    [`'`, String.raw`\d+|\$`, String.raw`[^/'\n\\]`, String.raw`[^/'\n]`],
    ["", String.raw`\d+`, PLAIN, PLAIN]
  ].map(
    ([quote = "", line = "", sought = "", text = ""]) =>
      new RegExp(
        String.raw`^sed(?: -[nErsu]+)* ${quote}(?:(?:${line}|/${sought}*/)?(?:,(?:${line}))?[pdq=]|s/${text}*/${text}*/[gIp\d]*)${quote}${OPERANDS}$`
      )
  ),
  // No pipes, files or commands in the program, on none of its lines, and no other way to name one.
  new RegExp(String.raw`^awk(?: -F ?(?:'[^'\s]+'|[^-'\s]\S*))? '(?![^]*(?:system|getline|@))[^'|>]*'${OPERANDS}$`),
  // Options that name a program or a file to write, also by the beginning of their names.
  without(String.raw`git(?: --no-pager| -C [^-'\s]\S*)* (?:${GIT_READS})`, String.raw`-\w*O|--(?:ou|op|ext)`),
  /^command -[vV] [\w.-]+$/,
  // Not hosts: whoever serves a name gets to see it, and with it what a command has put there.
  /^getent (?:passwd|group)(?: [\w.-]+)*$/,
  /^git branch(?: (?:-[arv]+|--(?:list|show-current|all|remotes|merged|no-merged)))*$/,
  /^git (?:tag(?: -l| --list)?|remote(?: -v)?|stash list|stash show|worktree list|reflog|config --(?:list|get [\w.-]+)|submodule status)$/,
  /^npm (?:ls|list|root|prefix|why|explain)(?: [\w@/.-]+)*$/,
  // Yarn and pnpm hand over even that to a program which the folder names.
  /^(?:hostname|env|lscpu|lsblk|(?!(?:yarn|yarnpkg|pnpm|pnpx) )\w[\w.-]* --version|(?:node|npm|npx|tsc|perl|ruby) -v|python3? -V|(?:go|deno) version)$/
]

/**
 * Allow rules for ordinary programs that read files, text and the state of the machine and of a Git repository. They limit
 * what is done, not what is read, and trust the configuration of the repository; a sandbox limits both.
 */
export const readOnlyCommandRules: ReadonlyArray<CommandRule> = [
  { pattern: new RegExp(`^(?:${ALWAYS.join("|")})(?: |$)`), action: "allow", expansions: true },
  // Options come first, and `-v` sets a variable; so does `%n` in a format, which therefore is known to the letter.
  {
    pattern: new RegExp(
      String.raw`^printf (?!'?-)(?:'(?:[^'%]|${CONVERSION})*'|(?:[\w@+=:,./^~!-]|${CONVERSION})+)(?: |$)`
    ),
    action: "allow",
    expansions: true
  },
  ...READS.map((pattern): CommandRule => ({ pattern, action: "allow" }))
]
