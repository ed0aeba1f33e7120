// npm run dev: serves the pages from source, and restarts the server after changes.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import process from 'node:process'
import { root } from './commands.mjs'
import { refuseUsedFolder } from './in-use.mjs'
import { ensureInstalled } from './install.mjs'
import { run } from './status.mjs'

const HELP = `npm run dev serves the product and follows changes: a component is replaced in the
open page, which keeps its state; the server is started again when one of its files changes.
Settings are those of npm start.
`

/** @type {import('node:child_process').ChildProcess[]} */
const children = []

await run(async () => {
  if (process.argv.includes('--help')) {
    process.stdout.write(HELP)
    return
  }
  refuseUsedFolder()
  const node = await ensureInstalled()
  const pages = start(node, ['scripts/dev-pages.ts'], 'ipc')
  const [origin] = await once(pages, 'message')
  const watched = ['server', 'contract'].map((name) => `--watch-path=${join(root, name)}`)
  const words = [`--pages=${origin}`, ...process.argv.slice(2)]
  start(node, [...watched, '--watch-preserve-output', 'server/main.ts', ...words])
})

/**
 * When one process ends, all end.
 * @param {string} node
 * @param {string[]} args
 * @param {'ipc' | 'ignore'} channel by which the child sends us messages
 */
function start(node, args, channel = 'ignore') {
  const child = spawn(node, args, {
    cwd: root,
    stdio: ['inherit', 'inherit', 'inherit', channel],
    // There is no load balancer, and each change restarts the server.
    env: { NODE_ENV: 'development', DRAIN_SECONDS: '0', ...process.env },
  })
  children.push(child)
  child.once('exit', (code) => stop('SIGTERM', code ?? 0))
  return child
}

/**
 * @param {NodeJS.Signals} signal
 * @param {number} code
 */
function stop(signal, code) {
  process.exitCode ||= code
  for (const child of children) child.kill(signal)
}

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => stop(signal, 0))
}
