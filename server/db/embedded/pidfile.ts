import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isServerOf } from '#server/db/embedded/process.ts'

/** What a PostgreSQL server writes about itself into its data directory. */
export interface ServerState {
  pid: number
  port: number
  socketDir: string
  isReady: boolean
}

/**
 * What the cluster's pid file says, undefined without one. The file may be a crashed server's: `findServer` also
 * looks whether the process is there.
 */
export function readServerState(cluster: string): ServerState | undefined {
  let lines: string[]
  try {
    lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return undefined
  }
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid <= 1) return undefined
  return {
    pid,
    port: Number(lines[3] ?? 0),
    socketDir: lines[4] ?? '',
    isReady: lines[7]?.trim() === 'ready',
  }
}

/** The server that is running on the cluster, if one is. */
export function findServer(cluster: string): ServerState | undefined {
  const state = readServerState(cluster)
  return state && isServerOf(state.pid, cluster) ? state : undefined
}

/**
 * PostgreSQL takes a pid file for a living server when its number belongs to any process, a zombie
 * or a stranger that got the number after a reboot. Such a file is removed. One whose number is
 * free is left to PostgreSQL, which then also checks that no backend is still at work.
 */
export function removeStalePidFile(cluster: string): void {
  const state = readServerState(cluster)
  if (!state || isServerOf(state.pid, cluster)) return
  try {
    process.kill(state.pid, 0)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return
  }
  rmSync(join(cluster, 'postmaster.pid'), { force: true })
}
