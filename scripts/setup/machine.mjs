// The machine that setup and update change: its files below a root, and its commands.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
  rmSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { Failure, step } from '#scripts/status.mjs'

/** In ms, for one command; installing packages may take minutes. */
const COMMAND_MS = 20 * 60 * 1000

/** @typedef {ReturnType<typeof createMachine>} Machine */

/**
 * With another root than `/`, files are written below it and no command runs: each is only printed.
 * @param {string} root
 */
export function createMachine(root) {
  const isReal = root === '/'
  const pathOf = (/** @type {string} */ path) => join(root, path)
  const isThere = (/** @type {string} */ path) =>
    lstatSync(pathOf(path), { throwIfNoEntry: false }) !== undefined
  const read = (/** @type {string} */ path) =>
    existsSync(pathOf(path)) ? readFileSync(pathOf(path), 'utf8') : ''
  return {
    isReal,
    pathOf,
    isThere,
    read,
    /** @param {string} path @param {number} mode */
    isMode: (path, mode) => isThere(path) && (lstatSync(pathOf(path)).mode & 0o777) === mode,
    /**
     * Replaces a file in one step, so that it is never half written or readable by others.
     * @param {string} path @param {string} text @param {number} [mode]
     */
    write: (path, text, mode = 0o644) => {
      const file = pathOf(path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(`${file}.new`, text, { mode })
      chmodSync(`${file}.new`, mode)
      renameSync(`${file}.new`, file)
    },
    /** @param {string} path @param {string} target */
    link: (path, target) => {
      const file = pathOf(path)
      mkdirSync(dirname(file), { recursive: true })
      // One may be left of an update that was killed.
      rmSync(`${file}.new`, { force: true })
      symlinkSync(target, `${file}.new`)
      renameSync(`${file}.new`, file)
    },
    /**
     * Runs a command and returns its output. @throws {Failure} with the end of its output if it fails
     * @param {string} command @param {string[]} args @param {import('node:child_process').SpawnSyncOptions} [options]
     */
    run: (command, args, options = {}) => {
      if (!isReal) {
        process.stdout.write(`  would run: ${[command, ...args].join(' ')}\n`)
        return ''
      }
      const done = spawnSync(command, args, { timeout: COMMAND_MS, ...options, encoding: 'utf8' })
      const output = `${done.stdout ?? ''}${done.stderr ?? ''}`.trim()
      if (done.status === 0) return output
      const why = done.error?.message ?? output.split('\n').slice(-15).join('\n')
      throw new Failure(`${[command, ...args].join(' ')} failed:\n${why}`)
    },
  }
}

/**
 * A step does nothing where all is right already.
 * @typedef {{ name: string, isRight: () => boolean | Promise<boolean>, make: () => unknown }} Step
 */

/**
 * @param {readonly Step[]} steps
 * @param {boolean} isDry only says what would be done
 */
export async function runSteps(steps, isDry) {
  for (const { name, isRight, make } of steps) {
    if (await isRight()) process.stdout.write(`= ${name}\n`)
    else if (isDry) process.stdout.write(`would make: ${name}\n`)
    else await step(name, async () => make())
  }
}
