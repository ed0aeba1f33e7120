// Replaces this process with another one whose environment reduces memory use.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { root } from './commands.mjs'

/**
 * Uses execve where Node supports it. Otherwise runs the program as a child and exits with its result.
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
      // Ctrl-C in a terminal is sent to the child too.
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
 * Configures glibc's malloc, which otherwise retains memory after many bodies and threads: an idle process needs
 * 60 MB less. Also caches compiled code next to the packages, which saves a third of the next start. Both only
 * take effect at the start of a process. Existing variables take precedence.
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
