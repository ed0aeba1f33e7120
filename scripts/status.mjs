// Says what is going on: one line that changes on a terminal, a line a step elsewhere.
import process from 'node:process'

const isTerminal = Boolean(process.stderr.isTTY)
const FRAMES = ['⠋', '⠙', '⠸', '⠴', '⠦', '⠇']

/**
 * Runs the work while showing its name and its seconds.
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

/** A failure that the person can act on: shown as it is, without a stack. */
export class Failure extends Error {}

/**
 * Runs a script's main function and turns its failures into sentences.
 * @param {() => Promise<unknown>} main
 */
export async function run(main) {
  try {
    await main()
  } catch (error) {
    process.stderr.write(`${error instanceof Failure ? error.message : error?.stack}\n`)
    process.exitCode = 1
  }
}
