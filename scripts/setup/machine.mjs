// The machine that setup and update change: its files below a root, and its commands.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { Failure, step } from '#scripts/status.mjs'

/** In ms, for one command. The backup of a big site takes long. */
const COMMAND_MS = 4 * 60 * 60 * 1000

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
  const modeOf = (/** @type {string} */ path) =>
    existsSync(pathOf(path)) ? statSync(pathOf(path)).mode & 0o777 : undefined
  /** @param {string} path @param {string} text @param {number} [mode] */
  const write = (path, text, mode = modeOf(path) ?? 0o644) => writeFile(pathOf(path), text, mode)
  const remove = (/** @type {string} */ path) => rmSync(pathOf(path), { force: true })
  return {
    isReal,
    pathOf,
    isThere,
    read,
    modeOf,
    write,
    remove,
    /**
     * Writes files, has them loaded and does what needs them. If that fails, the former files are loaded again.
     * @param {Record<string, string>} files @param {() => void} load @param {() => void} [act]
     */
    replace: (files, load, act = () => undefined) => {
      const former = Object.keys(files).map(
        (path) => /** @type {const} */ ([path, isThere(path) ? read(path) : null]),
      )
      try {
        for (const [path, text] of Object.entries(files)) write(path, text)
        load()
        act()
      } catch (error) {
        for (const [path, text] of former)
          if (text === null) remove(path)
          else write(path, text)
        try {
          load()
        } catch {
          // It did not work before either. The first error says why.
        }
        throw error
      }
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
    /** @param {string} command @param {string[]} args */
    succeeds: (command, args) =>
      !isReal || spawnSync(command, args, { stdio: 'ignore', timeout: COMMAND_MS }).status === 0,
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
 * Replaces a file in one step, so that it is never half written or readable by others. A link stays one.
 * @param {string} path @param {string} text @param {number} mode
 */
function writeFile(path, text, mode) {
  const file = existsSync(path) ? realpathSync(path) : path
  mkdirSync(dirname(file), { recursive: true })
  try {
    writeFileSync(`${file}.new`, text, { mode, flush: true })
    chmodSync(`${file}.new`, mode)
    renameSync(`${file}.new`, file)
  } finally {
    rmSync(`${file}.new`, { force: true })
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
