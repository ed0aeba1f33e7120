/** A real nginx in front of the nodes, with the settings of deploy/nginx.conf. */
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { nginxFile } from '#lab/cluster/parts/nginx.ts'
import { findTestPort } from '#server/testing/port.ts'

export interface Nginx {
  readonly url: string
  stop(): Promise<void>
}

const READY_MS = 20_000

/** Starts it before nodes at these ports of this machine. @throws Error with what it said */
export async function startNginx(ports: readonly number[]): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'kb-nginx-'))
  const port = await findTestPort()
  const file = join(folder, 'nginx.conf')
  const nodes = ports.map((each) => `127.0.0.1:${each}`)
  await writeFile(file, nginxFile(`127.0.0.1:${port}`, nodes))
  const child = spawn('nginx', ['-p', folder, '-c', file], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (piece: Buffer) => {
    said = `${said}${piece.toString()}`.slice(-4000)
  })
  let hasEnded = false
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      hasEnded = true
      resolve()
    }
    child.once('exit', end)
    child.once('error', (error) => {
      said += error.message
      end()
    })
  })
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  const url = `http://127.0.0.1:${port}`
  for (const end = Date.now() + READY_MS; !(await answers(url)); await sleep(30)) {
    if (!hasEnded && Date.now() < end) continue
    await stop()
    throw new Error(`nginx did not start: ${said}`)
  }
  return { url, stop }
}

function answers(url: string): Promise<boolean> {
  return fetch(`${url}/healthz`).then(
    (answer) => answer.ok,
    () => false,
  )
}
