/** What tells programs that nobody sits in front of them. */

/**
 * Laid over the environment of this process before `spawnHook` sees it; what the hook sets wins. There is no input and no
 * terminal either, so that whatever asks on them gets an end of file or an error at once.
 *
 * - Git and its helpers fail instead of asking for credentials; ssh opens no window to ask in.
 * - Pagers print.
 * - Editors fail. `true` would let `git rebase -i` or `crontab -e` "succeed" with nothing edited; a command that should take
 *   the default text says so with `--no-edit` or an `EDITOR=true` of its own.
 * - Debian's package tools take defaults, and terminal programs learn that the terminal can do nothing.
 *
 * `CI` is left alone: it changes what builds do, not only whether they ask.
 */
export const nonInteractive: Readonly<Record<string, string>> = {
  GIT_TERMINAL_PROMPT: "0",
  GCM_INTERACTIVE: "never",
  SSH_ASKPASS_REQUIRE: "never",
  PAGER: "cat",
  GIT_PAGER: "cat",
  MANPAGER: "cat",
  EDITOR: "false",
  VISUAL: "false",
  GIT_EDITOR: "false",
  GIT_SEQUENCE_EDITOR: "false",
  DEBIAN_FRONTEND: "noninteractive",
  TERM: "dumb"
}
