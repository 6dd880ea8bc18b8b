/** The processes of one shell call: its group and session, and those that left both. */
import { spawnSync } from "node:child_process"
import { closeSync, existsSync, openSync, readdirSync, readlinkSync, readSync } from "node:fs"

/** A process that a call left running. */
export interface BackgroundProcess {
  readonly pid: number
  /** Its command line, shortened; its program's name when that cannot be read. */
  readonly command: string
}

/** Where to look for the processes of a call. */
export interface CallProcesses {
  /** The process that was spawned, leader of its group (and, on Linux, of its session). */
  readonly pid: number
  /** Text in the environment of every process of the call, for those whose parents are gone. Read on Linux only. */
  readonly mark?: string | undefined
  /** The pipes it was given, as `pipesOf` read them; who has one as its output is of the call. */
  readonly pipes?: ReadonlyArray<string> | undefined
}

interface Process {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly session: number
  readonly command: string
}

const hasProc = process.platform === "linux" && existsSync("/proc/self/stat")
const MAX_COMMAND = 200
/** Of one file below /proc; the mark in a larger environment is not seen. */
const MAX_PROC_BYTES = 256 * 1_024

/**
 * The living processes of a call; a process that only waits to be collected does not live. Found are: its group, its
 * session, whoever carries its mark or prints to its pipes, and the descendants of all these. Not found is a process that
 * left the session, lost its parent, cleared its environment and sent its output elsewhere.
 */
export const findProcesses = (
  call: CallProcesses,
  among?: (pid: number) => boolean
): ReadonlyArray<BackgroundProcess> => {
  const processes = hasProc ? listProc(among) : listPs()
  const children = new Map<number, Array<Process>>()
  for (const process of processes) {
    const siblings = children.get(process.parent)
    if (siblings === undefined) children.set(process.parent, [process])
    else siblings.push(process)
  }
  const found = new Map<number, Process>()
  const add = (process: Process): void => {
    if (found.has(process.pid)) return
    found.set(process.pid, process)
    for (const child of children.get(process.pid) ?? []) add(child)
  }
  for (const process of processes) if (belongs(process, call)) add(process)
  return [...found.values()].map(({ pid, command }) => ({
    pid,
    command: hasProc ? commandLine(pid, command) : command
  }))
}

/**
 * What a call left running after a normal end. Cheap when nothing was forked: a look at the newest process id, and at
 * processes that are younger than the shell. `ranMs` is how long it ran: numbers may have started anew in a long call.
 */
export const findSurvivors = (call: CallProcesses, ranMs: number): ReadonlyArray<BackgroundProcess> => {
  if (!hasProc) return process.platform !== "win32" && isGroupAlive(call.pid) ? findProcesses(call) : []
  if (ranMs > 1_000) return findProcesses(call)
  if (newestPid() === call.pid) return []
  return findProcesses(call, (pid) => pid > call.pid)
}

const belongs = ({ pid, group, session }: Process, call: CallProcesses): boolean =>
  pid !== process.pid &&
  (pid === call.pid ||
    group === call.pid ||
    session === call.pid ||
    (call.mark !== undefined && hasMark(pid, call.mark)) ||
    (call.pipes !== undefined && call.pipes.length > 0 && pipesOf(pid).some((pipe) => call.pipes?.includes(pipe))))

const isGroupAlive = (pid: number): boolean => {
  try {
    process.kill(-pid, 0)
    return true
  } catch {
    return false
  }
}

/** Reused: a look at many processes allocates little. */
let scratch: Buffer | undefined

/** Reads what may vanish meanwhile, or be another user's: then it is empty. One read has all that fits. */
const readProc = (path: string): string => {
  const buffer = (scratch ??= Buffer.allocUnsafe(MAX_PROC_BYTES))
  let descriptor: number | undefined
  try {
    descriptor = openSync(`/proc/${path}`, "r")
    return buffer.toString("latin1", 0, readSync(descriptor, buffer, 0, buffer.length, 0))
  } catch {
    return ""
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** The pipes and sockets that are the standard output and error of a process; nothing that has a name in a file system. */
export const pipesOf = (pid: number): ReadonlyArray<string> => {
  if (!hasProc) return []
  try {
    return [1, 2].map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`)).filter((link) => /^(pipe|socket):\[/.test(link))
  } catch {
    return []
  }
}

const newestPid = (): number => Number(readProc("loadavg").trim().split(" ").at(-1))

const hasMark = (pid: number, mark: string): boolean => hasProc && readProc(`${pid}/environ`).includes(mark)

const commandLine = (pid: number, name: string): string => {
  const words = Buffer.from(readProc(`${pid}/cmdline`), "latin1")
    .toString("utf8")
    .replace(/\0+$/, "")
  return shorten(words === "" ? name : words.replaceAll("\0", " "))
}

const shorten = (command: string): string => {
  const line = command.replaceAll(/\s+/g, " ").trim()
  return line.length > MAX_COMMAND ? `${line.slice(0, MAX_COMMAND)}…` : line
}

const listProc = (among: (pid: number) => boolean = () => true): Array<Process> => {
  const processes: Array<Process> = []
  for (const name of readdirSync("/proc")) {
    const pid = Number(name)
    const process = Number.isInteger(pid) && among(pid) ? parseStat(pid, readProc(`${name}/stat`)) : undefined
    if (process !== undefined) processes.push(process)
  }
  return processes
}

/** `<pid> (<name>) <state> <parent> <group> <session> …`; the name may hold anything, brackets and spaces too. */
const parseStat = (pid: number, stat: string): Process | undefined => {
  const end = stat.lastIndexOf(")")
  const [state, parent, group, session] = stat.slice(end + 2).split(" ", 4)
  if (end === -1 || state === "Z" || state === "X") return undefined
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    command: stat.slice(stat.indexOf("(") + 1, end)
  }
}

const listPs = (): Array<Process> => {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid=,pgid=,stat=,command="], {
    encoding: "utf8",
    timeout: 1_000
  })
  return (stdout ?? "").split("\n").flatMap((line) => {
    const [, pid, parent, group, state, command] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
    if (pid === undefined || state === undefined || state.startsWith("Z")) return []
    return [
      { pid: Number(pid), parent: Number(parent), group: Number(group), session: 0, command: shorten(command ?? "") }
    ]
  })
}
