/**
 * Decodes and encodes one picture at a time in a child process, which starts on demand and ends soon after: the
 * allocator of a process never returns the memory that a burst of pictures took. There is one child per process,
 * so this module alone has state.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { PICTURES_AT_ONCE } from '#contract/limits.ts'
import type { Outcome, Task, Works } from '#server/platform/files/picture-process.ts'
import { unavailable } from '#server/kernel/errors.ts'
import { Queue } from '#server/kernel/limits/queue.ts'

/** The library couldn't read the picture; the message is the library's. */
export class DecodingError extends Error {}

/**
 * The message of a DecodingError when the header claims more than PICTURE_PIXELS. It is here because callers must
 * not load the decoder.
 */
export const TOO_MANY_PIXELS = 'tooManyPixels'

const PROGRAM = fileURLToPath(new URL('picture-process.ts', import.meta.url))
/** In ms. The library itself stops after 20 seconds of decoding. */
const LONGEST_WORK = 40_000
/** In ms without work, after which the process ends. */
const IDLE = 5000
/** Pictures after which the process is replaced even if it is never idle. */
const MOST_WORKS = 100

const queue = new Queue(PICTURES_AT_ONCE)
let worker: ChildProcess | null = null
let works = 0
let idle: NodeJS.Timeout | undefined

/**
 * Runs one task on the bytes that `read` returns when its turn has come, so that waiting tasks hold no memory.
 * Askers take turns.
 * @throws DecodingError when it is no picture; Refusal 503 when too many wait, or the process ended during the
 * task
 */
export function decode<Work extends keyof Works>(
  work: Work,
  read: () => Promise<Uint8Array>,
  asker: string,
): Promise<Works[Work]> {
  return queue.run(asker, async () => {
    const bytes = await read()
    const outcome = await ask({ work, bytes })
    if ('failure' in outcome) throw new DecodingError(outcome.failure)
    return outcome.result as Works[Work]
  })
}

/** Returns the process id, or null while no process is running. */
export function decodingProcess(): number | null {
  return worker?.pid ?? null
}

/** If the process was killed, the task is tried once more with a new one. */
async function ask(task: Task): Promise<Outcome> {
  const outcome = (await askOnce(task)) ?? (await askOnce(task))
  if (outcome === null) throw unavailable()
  return outcome
}

/**
 * Returns null when the process ended during the task: out of memory, by a bug of the library, or by our timeout.
 */
function askOnce(task: Task): Promise<Outcome | null> {
  clearTimeout(idle)
  const child = (worker ??= start())
  works += 1
  // Keeps our process alive until the task is done, even if it has nothing else to do.
  child.ref()
  child.channel?.ref()
  return new Promise((resolve) => {
    const late = setTimeout(() => gone(), LONGEST_WORK)
    const end = (outcome: Outcome | null) => {
      clearTimeout(late)
      child.off('message', answered).off('exit', gone).off('error', gone)
      if (outcome === null || works >= MOST_WORKS) stop(child)
      else keepIdle(child)
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
    // Passes none of the environment: no keys, no passwords. Few threads work here, so one needs fewer arenas.
    env: { MALLOC_ARENA_MAX: '2' },
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // Tasks have listeners of their own, but without a permanent one an error between tasks would be unhandled.
  child.on('error', () => stop(child))
  child.once('exit', () => {
    if (worker === child) worker = null
  })
  return child
}

/** Keeps the child for the next picture for a while, without keeping our process alive. */
function keepIdle(child: ChildProcess): void {
  child.unref()
  child.channel?.unref()
  idle = setTimeout(() => stop(child), IDLE)
  idle.unref()
}

function stop(child: ChildProcess): void {
  if (worker === child) worker = null
  child.kill('SIGKILL')
}
