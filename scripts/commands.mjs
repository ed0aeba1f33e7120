// Runs other programs, with the machine's own Node and npm first in PATH.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createWriteStream, mkdirSync, readFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { Failure } from './status.mjs'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * Returns a folder for locks and logs of this checkout. It is outside node_modules, because `npm ci` empties that.
 */
export function scratch() {
  const mark = createHash('sha256').update(root).digest('hex').slice(0, 12)
  const path = join(tmpdir(), `bazaar-${userInfo().uid}-${mark}`)
  mkdirSync(path, { recursive: true, mode: 0o700 })
  return path
}

/** Removes the project's own Node, which an install replaces, and the variables of an outer npm run. */
export function machineEnvironment() {
  const env = { ...process.env }
  for (const name of Object.keys(env)) {
    if (/^npm_(lifecycle|package)_/.test(name) || name === 'INIT_CWD') delete env[name]
  }
  env.PATH = (env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.endsWith(join('node_modules', '.bin')))
    .join(delimiter)
  return env
}

/**
 * Runs a program with its output in a log. If it fails, the error contains the end of the log.
 * @param {string} name
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 */
export async function quietly(name, command, args, options = {}) {
  const path = join(scratch(), `${name}.log`)
  const log = createWriteStream(path)
  const result = await new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout?.pipe(log, { end: false })
    child.stderr?.pipe(log, { end: false })
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, signal) => resolve(code ?? signal))
  })
  await new Promise((resolve) => log.end(resolve))
  if (result === 0) return
  const tail = readFileSync(path, 'utf8').trimEnd().split('\n').slice(-25).join('\n')
  const command_ = [command, ...args].join(' ')
  throw new Failure(`${tail}\n\n${command_} failed (${result}). All of its output: ${path}`)
}

/**
 * Runs a program in the foreground.
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<number>} its exit code
 */
export function openly(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options })
    // A signal to this process stops the child first, so that it can clean up.
    const stop = () => child.kill('SIGTERM')
    process.once('SIGTERM', stop)
    child.once('error', reject)
    child.once('close', (code) => {
      process.removeListener('SIGTERM', stop)
      if (child.killed) process.exit(143)
      resolve(code ?? 1)
    })
  })
}

/**
 * Runs a script of package.json and captures its output.
 * @param {string} script
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<{ isGood: boolean, output: string }>}
 */
export function runScript(script, env = process.env) {
  return new Promise((resolve) => {
    const child = spawn('npm', ['run', '--silent', script], {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const add = (/** @type {Buffer} */ part) => (output += part)
    child.stdout.on('data', add)
    child.stderr.on('data', add)
    child.once('error', (error) => resolve({ isGood: false, output: error.message }))
    child.once('close', (code) => resolve({ isGood: code === 0, output }))
  })
}
