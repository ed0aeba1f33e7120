/** A real PgBouncer in front of a server, from the Debian package. */
import { spawn } from 'node:child_process'
import { chmodSync, existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findTestPort } from '#server/testing/port.ts'

const PROGRAM = '/usr/sbin/pgbouncer'
const READY_MS = 20_000

export const hasPgBouncer = existsSync(PROGRAM)

export interface PgBouncer {
  readonly port: number
  stop(): Promise<void>
}

/** Starts it in front of a local server, with additional `settings`. @throws Error with its output */
export async function startPgBouncer(
  target: number,
  settings: Readonly<Record<string, string>>,
): Promise<PgBouncer> {
  const folder = await mkdtemp(join(tmpdir(), 'kb-pgbouncer-'))
  chmodSync(folder, 0o755)
  const port = await findTestPort()
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'any',
    ...settings,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`)
  const databases = `[databases]\n* = host=127.0.0.1 port=${target} user=bazaar\n`
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(file, `${databases}[pgbouncer]\n${lines.join('\n')}\n`)
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn(PROGRAM, [...user, file], { stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr.on('data', (piece: Buffer) => {
    output = `${output}${piece.toString()}`.slice(-4000)
  })
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  for (const end = Date.now() + READY_MS; !(await listens(port)); await sleep(20)) {
    if (child.exitCode === null && Date.now() < end) continue
    await stop()
    throw new Error(`pgbouncer did not start: ${output}`)
  }
  return { port, stop }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
