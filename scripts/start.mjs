// npm start: installs and builds what is missing, then runs the server. Node 20, no dependencies.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { ensureBuilt } from './build.mjs'
import { root } from './commands.mjs'
import { ensureInstalled, isInstalled } from './install.mjs'
import { refuseUsedFolder } from './in-use.mjs'
import { run } from './status.mjs'

const HELP = `npm start installs what is missing, builds the pages if they changed, and starts
Knowledge Bazaar with its own database in ./data. No settings are needed.

  PORT=8080 npm start        another port
  DATA_DIR=/srv/bazaar …     another place for the data
  DATABASE_URL=postgres://…  a PostgreSQL of your own
`

await run(async () => {
  const args = process.argv.slice(2)
  const isHelp = args.includes('--help') || args.includes('-h')
  if (isHelp) {
    process.stdout.write(HELP)
    if (!isInstalled()) {
      process.stdout.write('\nOnce it is installed, --help lists every setting.\n')
      return
    }
    process.stdout.write('\n')
  }
  // Before an install and a build that may take minutes.
  if (!isHelp) refuseUsedFolder()
  const node = await ensureInstalled()
  if (!isHelp && existsSync(join(root, 'web'))) await ensureBuilt(node)
  become(node, [join(root, 'server', 'main.ts'), ...args])
})

/**
 * The server takes the place of this process where Node can do that; else it runs below it.
 * @param {string} command
 * @param {string[]} args
 */
function become(command, args) {
  process.chdir(root)
  if (typeof process.execve === 'function') {
    process.removeAllListeners('warning').on('warning', () => {})
    process.execve(command, [command, ...args], serverEnvironment())
  }
  const child = spawn(command, args, { stdio: 'inherit', env: serverEnvironment() })
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => {
      // Ctrl-C in a terminal reaches the server by itself.
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
 * has 60 MB less with them. They must be there when it begins. What the environment names wins.
 * @returns {Record<string, string>}
 */
function serverEnvironment() {
  const allocator = JSON.parse(
    readFileSync(join(root, 'server', 'kernel', 'allocator.json'), 'utf8'),
  )
  const given = Object.entries(process.env).filter(([, value]) => value !== undefined)
  return { ...allocator, ...Object.fromEntries(given) }
}
