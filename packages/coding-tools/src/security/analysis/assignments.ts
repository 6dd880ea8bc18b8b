/** Which variables a command line may set without anybody being asked. */

/** Read by many programs, and none of them runs what it says. */
const EXPORTABLE =
  /^(?:LANG|LANGUAGE|LC_[A-Z]+|TZ|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|CI|COLUMNS|LINES|NODE_ENV|RUST_BACKTRACE|GIT_TERMINAL_PROMPT|GIT_OPTIONAL_LOCKS)$/
const PAGERS = /^(?:PAGER|GIT_PAGER|MANPAGER|SYSTEMD_PAGER)$/

/** Lower-case names that a shell or programs give a meaning to. */
const MEANINGFUL =
  /^(?:path|cdpath|fpath|manpath|module_path|mailpath|histchars|auto_resume|.*_proxy|npm_.*|ld_.*|dyld_.*)$/

/** `name=value command`, `env name=value command` or `export name=value`: programs get to see it. */
export const isHarmlessExport = (name: string, value: string | undefined): boolean =>
  EXPORTABLE.test(name) || (PAGERS.test(name) && (value === "cat" || value === ""))

/** `name=value` for the script itself. */
export const isHarmlessVariable = (name: string): boolean => /^[a-z_][a-z\d_]*$/.test(name) && !MEANINGFUL.test(name)
