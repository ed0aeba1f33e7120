// Shows progress: a line that updates on a terminal, or a line per step elsewhere.
import process from 'node:process'

const isTerminal = Boolean(process.stderr.isTTY)
const FRAMES = ['⠋', '⠙', '⠸', '⠴', '⠦', '⠇']

/**
 * Runs the work while showing its name and the elapsed seconds.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(name, work) {
  const began = Date.now()
  const seconds = () => `${Math.round((Date.now() - began) / 1000)} s`
  let turn = 0
  const draw = () =>
    process.stderr.write(`\r\x1b[K${FRAMES[turn++ % FRAMES.length]} ${name} … ${seconds()}`)
  if (!isTerminal) process.stderr.write(`… ${name}\n`)
  const timer = setInterval(
    () => (isTerminal ? draw() : process.stderr.write(`… ${name}, ${seconds()}\n`)),
    isTerminal ? 200 : 20_000,
  )
  const end = (/** @type {string} */ sign) => {
    clearInterval(timer)
    process.stderr.write(`${isTerminal ? '\r\x1b[K' : ''}${sign} ${name} (${seconds()})\n`)
  }
  try {
    const result = await work()
    end('✓')
    return result
  } catch (error) {
    end('✗')
    throw error
  }
}

/** A failure that people can act on. It is printed without a stack trace. */
export class Failure extends Error {}

/**
 * Runs a script's main function and prints failures as messages. Errors of the system name their file themselves.
 * @param {() => Promise<unknown>} main
 */
export async function run(main) {
  // Whoever reads the output may go away, as with a lost connection. The work goes on.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  try {
    await main()
  } catch (error) {
    const isPlain = error instanceof Failure || error?.syscall !== undefined
    process.stderr.write(`${isPlain ? error.message : error?.stack}\n`)
    process.exitCode = 1
  }
}
