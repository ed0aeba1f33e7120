import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the main process of a data folder's server. @throws when there is none */
export function postmasterOf(dataDir: string): number {
  const text = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')
  return Number.parseInt(text, 10)
}

/** Returns the processes that serve connections. Linux only. */
export function backendsOf(postmaster: number): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && isBackend(pid, postmaster))
}

function isBackend(pid: number, postmaster: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    if (parent !== postmaster) return false
    // For example "postgres: knowledge-bazaar: bazaar bazaar [local] idle".
    return /postgres: .*\[local\]|postgres: .*127\.0\.0\.1/.test(
      readFileSync(`/proc/${pid}/cmdline`, 'utf8'),
    )
  } catch {
    return false
  }
}
