/**
 * Decoding and encoding, one picture at a time in this process. The work is done by a process of its own, which is
 * started when it is needed and ends soon after: the allocator of a process never gives back what a burst of
 * pictures took. That is so of every process, so this is the one module with a state of its own.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Outcome, Task, Works } from '#server/files/picture-process.ts'
import { unavailable } from '#server/kernel/errors.ts'
import { createFairTurns } from '#server/kernel/queues/fair-turns.ts'

/** What the library could not read, or says of it. */
export class DecodingError extends Error {}

/** Its message when the header claims more pixels than PICTURE_PIXELS. Here, as who asks must not load the decoder. */
export const TOO_MANY_PIXELS = 'tooManyPixels'

const PROGRAM = fileURLToPath(new URL('picture-process.ts', import.meta.url))
const MOST_WAITING = 15
/** Milliseconds. The library itself stops after 20 seconds of decoding. */
const LONGEST_WORK = 40_000
/** Milliseconds without work after which the process ends. */
const IDLE = 5000
/** Pictures after which the process is replaced even when it is never idle. */
const MOST_WORKS = 100

const inTurn = createFairTurns({ atOnce: 1, most: MOST_WAITING })
let worker: ChildProcess | null = null
let works = 0
let idle: NodeJS.Timeout | undefined

/**
 * Does one work on the bytes that `read` gives when its turn has come, so that those who wait hold no memory. `asker`:
 * whose work it is, because askers take turns.
 * @throws DecodingError when it is no picture; Refusal 503 when too many wait, or the process ended under it
 */
export function decode<Work extends keyof Works>(
  work: Work,
  read: () => Promise<Uint8Array>,
  asker: string,
): Promise<Works[Work]> {
  return inTurn({ name: asker, isKnown: false }, async () => {
    const bytes = await read()
    const outcome = await ask({ work, bytes })
    if ('failure' in outcome) throw new DecodingError(outcome.failure)
    return outcome.result as Works[Work]
  })
}

/** The id of the process; null while there is none: the next picture starts it. */
export function decodingProcess(): number | null {
  return worker?.pid ?? null
}

/** A process that was killed costs nobody their picture: it is tried once more with a new one. */
async function ask(task: Task): Promise<Outcome> {
  const outcome = (await askOnce(task)) ?? (await askOnce(task))
  if (outcome === null) throw unavailable()
  return outcome
}

/** Null when the process ended under its work: for want of memory, by a fault of the library, by our limit of time. */
function askOnce(task: Task): Promise<Outcome | null> {
  clearTimeout(idle)
  const child = (worker ??= start())
  works += 1
  // The work is waited for: without this a process that has nothing else to do would end before it is done.
  child.ref()
  child.channel?.ref()
  return new Promise((resolve) => {
    const late = setTimeout(() => gone(), LONGEST_WORK)
    const end = (outcome: Outcome | null) => {
      clearTimeout(late)
      child.off('message', answered).off('exit', gone).off('error', gone)
      if (outcome === null || works >= MOST_WORKS) stop(child)
      else park(child)
      resolve(outcome)
    }
    const answered = (outcome: unknown) => end(outcome as Outcome)
    const gone = () => end(null)
    child.once('message', answered).once('exit', gone).once('error', gone)
    child.send(task, (error) => {
      if (error !== null) gone()
    })
  })
}

function start(): ChildProcess {
  works = 0
  const child = fork(PROGRAM, [], {
    // Nothing of the environment: no keys, no passwords. Fewer arenas, because few threads work here.
    env: { MALLOC_ARENA_MAX: '2' },
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // Reported to who waits by listeners of its own; one must always be there.
  child.on('error', () => stop(child))
  child.once('exit', () => {
    if (worker === child) worker = null
  })
  return child
}

/** Keeps the process for the next picture for a while, without keeping this one alive. */
function park(child: ChildProcess): void {
  child.unref()
  child.channel?.unref()
  idle = setTimeout(() => stop(child), IDLE)
  idle.unref()
}

function stop(child: ChildProcess): void {
  if (worker === child) worker = null
  child.kill('SIGKILL')
}
