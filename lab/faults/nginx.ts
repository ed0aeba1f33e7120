/** nginx in front of local nodes, with the settings of deploy/nginx.conf. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answersWell, startPart, type PartPlan } from '#lab/cluster/part.ts'
import { nginxFile } from '#lab/cluster/parts/nginx.ts'
import { findTestPort } from '#server/testing/port.ts'

/** Starts it in front of nodes at these ports. @throws Error with the end of its log */
export async function startNginx(ports: readonly number[]) {
  const folder = await mkdtemp(join(tmpdir(), 'kb-nginx-'))
  const address = `127.0.0.1:${await findTestPort()}`
  const nodes = ports.map((each) => `127.0.0.1:${each}`)
  const plan: PartPlan = {
    name: 'nginx',
    host: 'balancer',
    what: 'nginx before the nodes',
    address,
    command: ['nginx', '-p', '.', '-c', 'nginx.conf'],
    files: { 'nginx.conf': nginxFile(address, nodes) },
    isReady: () => answersWell(`http://${address}/healthz`),
    againMs: 1000,
  }
  const network = { kind: 'loopback', mark: '', hosts: {} } as const
  const watch = { say: () => undefined, changed: () => undefined, isOver: () => false }
  const part = await startPart({ folder, network, password: '' }, plan, watch)
  return {
    url: `http://${address}`,
    stop: async () => {
      await part.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
