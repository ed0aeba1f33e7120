// Proves that a version works: with a database of its own before it is used, and at its address afterwards.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Failure } from '#scripts/status.mjs'
import { SYSTEM_PATH } from './program.mjs'

/** In ms. */
const START_MS = 90_000
const STOP_MS = 15_000
/** Pages that need the database, the renderer and the files of the build. */
const PAGES = ['/', '/lesson/all', '/course/all', '/api/lesson/all', '/login']

/**
 * Starts a version on an empty database and another port, as the owner of the empty folder for its data.
 * @param {string} folder of the version
 * @param {{ port: number, dataDir: string }} options
 * @throws {Failure} with its output when it doesn't become ready
 */
export async function tryOut(folder, { port, dataDir }) {
  const { uid, gid } = statSync(dataDir)
  // It must not outlive an update that is killed.
  const dying = ['--pdeathsig', 'TERM', '--', join(folder, 'node_modules', '.bin', 'node')]
  const child = spawn('setpriv', [...dying, 'scripts/serve.mjs'], {
    cwd: folder,
    uid,
    gid,
    env: {
      PATH: SYSTEM_PATH,
      HOME: dataDir,
      TMPDIR: dataDir,
      NODE_ENV: 'production',
      LOG_FORMAT: 'text',
      DATA_DIR: dataDir,
      PORT: String(port),
      METRICS_PORT: '0',
      DEMO: '0',
      DRAIN_SECONDS: '0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = once(child, 'close')
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece) => (output = `${output}${piece}`.slice(-4000)))
  try {
    const hasEnded = () => child.exitCode !== null || child.signalCode !== null
    await waitFor(`http://127.0.0.1:${port}`, { hasEnded })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Failure(`The new version does not start (${why}):\n${output.trim()}`)
  } finally {
    child.kill('SIGTERM')
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
    await closed
    clearTimeout(late)
  }
}

/**
 * Waits until a server is ready and, if given, of this version, and asks for some pages.
 * @param {string} address
 * @param {{ version?: string, patienceMs?: number, hasEnded?: () => boolean }} [options]
 * @throws {Failure}
 */
export async function waitFor(
  address,
  { version, patienceMs = START_MS, hasEnded = () => false } = {},
) {
  for (const end = Date.now() + patienceMs; ; await pause(100)) {
    const why = await findFault(address, version)
    if (why === null) return
    if (hasEnded()) throw new Failure('it ended')
    if (Date.now() > end) throw new Failure(why)
  }
}

/** @param {string} address @param {string | undefined} version @returns {Promise<string | null>} */
async function findFault(address, version) {
  try {
    const ask = (/** @type {string} */ path) =>
      fetch(address + path, { signal: AbortSignal.timeout(10_000) })
    const ready = await ask('/readyz')
    if (!ready.ok) return `/readyz says ${(await ready.text()).slice(0, 300)}`
    const health = await (await ask('/healthz')).json()
    if (version !== undefined && health.version !== version)
      return `version ${health.version} answers instead of ${version}`
    for (const page of PAGES) {
      const answer = await ask(page)
      await answer.arrayBuffer()
      if (!answer.ok) return `${page} is answered ${answer.status}`
    }
    return null
  } catch (error) {
    return error instanceof Error ? `it doesn't answer: ${error.message}` : String(error)
  }
}
