// One process becomes another, with the environment in which the product takes little memory.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { root } from './commands.mjs'

/**
 * A program takes the place of this process where Node can do that; else it runs below it, and its end is ours.
 * @param {string} command
 * @param {string[]} args
 */
export function become(command, args) {
  process.chdir(root)
  if (typeof process.execve === 'function') {
    process.removeAllListeners('warning').on('warning', () => {})
    process.execve(command, [command, ...args], environment())
  }
  const child = spawn(command, args, { stdio: 'inherit', env: environment() })
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => {
      // Ctrl-C in a terminal reaches the program by itself.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    })
  }
  child.once('error', (error) => {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  })
  child.once('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

/**
 * With settings of glibc's malloc, which else keeps more of what many bodies and threads once took: a process at rest
 * has 60 MB less with them. What Node compiled is stored beside the packages, which saves a third of the next start.
 * All of it must be there when it begins. What the environment names wins.
 * @returns {Record<string, string>}
 */
function environment() {
  const allocator = JSON.parse(
    readFileSync(join(root, 'server', 'kernel', 'allocator.json'), 'utf8'),
  )
  const given = Object.entries(process.env).filter(([, value]) => value !== undefined)
  const compiled = { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled') }
  return { ...allocator, ...compiled, ...Object.fromEntries(given) }
}
