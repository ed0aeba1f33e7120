import { join } from 'node:path'
import allocator from '#server/kernel/allocator.json' with { type: 'json' }
import { addressOf } from '#lab/cluster/network.ts'
import { answersWell, saidBy, type PartPlan, type Site } from '#lab/cluster/part.ts'

const PORT = 3000
const METRICS_PORT = 9464
const NODE = join(process.cwd(), 'node_modules', '.bin', 'node')
const COMPILED = join(process.cwd(), 'node_modules', '.cache', 'compiled')

export const nodeAddress = ({ network }: Site, name: string): string =>
  `${addressOf(network, name)}:${PORT}`
export const metricsAddress = ({ network }: Site, name: string): string =>
  `${addressOf(network, name)}:${METRICS_PORT}`

/** `environment` as for `npm start`. */
export function node(
  site: Site,
  name: string,
  environment: Readonly<Record<string, string>>,
): PartPlan {
  const address = nodeAddress(site, name)
  return {
    name,
    host: name,
    what: 'serves pages, calls and the hub',
    address: `http://${address}`,
    command: [NODE, 'scripts/serve.mjs'],
    environment: {
      ...ours(site, name),
      HOST: addressOf(site.network, name),
      PORT: `${PORT}`,
      METRICS_PORT: `${METRICS_PORT}`,
      ...environment,
    },
    cwd: process.cwd(),
    isReady: () => answersWell(`http://${address}/readyz`),
    againMs: 1000,
    isAsked: true,
  }
}

/** `environment` as for `npm run worker`. */
export function worker(
  site: Site,
  name: string,
  environment: Readonly<Record<string, string>>,
): PartPlan {
  return {
    name,
    host: name,
    what: 'does the jobs',
    address: addressOf(site.network, name),
    command: [NODE, 'server/worker.ts'],
    environment: { ...ours(site, name), METRICS_PORT: '0', ...environment },
    cwd: process.cwd(),
    isReady: async () => saidBy(site.folder, name).includes('Ctrl-C stops it.'),
    againMs: 1000,
    isAsked: true,
  }
}

function ours({ folder }: Site, name: string): Record<string, string> {
  const dataDir = join(folder, name)
  const compiled = { NODE_COMPILE_CACHE: COMPILED }
  return { ...allocator, ...compiled, DATA_DIR: dataDir, DEMO: '0', NODE_ENV: 'production' }
}
