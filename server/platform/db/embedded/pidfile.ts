import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isServerOf } from '#server/platform/db/embedded/process.ts'

/** The contents of postmaster.pid. */
export interface ServerState {
  pid: number
  port: number
  socketDir: string
  isReady: boolean
}

/**
 * Reads the cluster's pid file; undefined without one. The file may belong to a crashed server: `findServer` also
 * checks for the process.
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

/** Returns the server that runs on the cluster, if any. */
export function findServer(cluster: string): ServerState | undefined {
  const state = readServerState(cluster)
  return state && isServerOf(state.pid, cluster) ? state : undefined
}

/**
 * Removes a stale pid file. PostgreSQL assumes a running server when any process has the id in the file, even a
 * zombie or a stranger after a reboot. A file whose id is unused is left to PostgreSQL, which also checks that no
 * backend is still running.
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
