/** Where the processor's time goes in a cluster: by what its processes are. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import type { Cluster } from './cluster.ts'

/** Milliseconds; of Linux, in which the times of processes are counted. */
const TICK_MS = 10

export type Kind = 'nodes' | 'databases' | 'proxies' | 'balancer' | 'ours'

/** Milliseconds of processor time so far, by what the processes are; children of nodes are none of theirs. */
export function timesOf({ site, parts }: Cluster): Record<Kind, number> {
  const times = { nodes: 0, databases: 0, proxies: 0, balancer: 0, ours: timeOf('self') }
  const folderKinds: readonly [RegExp, Kind][] = [
    [/^pg\d/, 'databases'],
    [/^(?:haproxy|pgbouncer)/, 'proxies'],
    [/^balancer/, 'balancer'],
  ]
  for (const [name, { pid }] of parts)
    if (/^node\d+$/.test(name) && pid !== null) times.nodes += timeOf(`${pid}`)
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const place = placeOf(pid)
    if (!place.startsWith(`${site.folder}/`)) continue
    const below = place.slice(site.folder.length + 1)
    const kind = folderKinds.find(([pattern]) => pattern.test(below))?.[1]
    if (kind !== undefined) times[kind] += timeOf(pid)
  }
  return times
}

function placeOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return ''
  }
}

/** Of one process, by its number or `self`; 0 when it is gone. */
function timeOf(pid: string): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  } catch {
    return 0
  }
}
