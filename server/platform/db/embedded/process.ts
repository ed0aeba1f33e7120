import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'

/**
 * Identifies a process, so that a later one with the same id differs. Undefined for a dead process or a zombie.
 */
export function processIdentity(pid: number): string | undefined {
  if (process.platform !== 'linux') return identityByPs(pid)
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name is in brackets and may contain spaces, so the fields count from the last bracket.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : `${pid}:${fields[19]}`
  } catch {
    return undefined
  }
}

function identityByPs(pid: number): string | undefined {
  const line = ps(pid, 'stat=,lstart=')
  return line === '' || line.startsWith('Z') ? undefined : `${pid}:${line.replace(/^\S+\s+/, '')}`
}

function ps(pid: number, columns: string): string {
  try {
    return execFileSync('ps', ['-o', columns, '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 5000,
    }).trim()
  } catch {
    return ''
  }
}

/** Returns true when the process is a PostgreSQL that may be running in the directory, also if that is unclear. */
export function isServerOf(pid: number, directory: string): boolean {
  if (processIdentity(pid) === undefined) return false
  const command = commandOf(pid)
  if (!/^(postgres|postmaster|unshare)\b/.test(basename(command.split('\0')[0] ?? ''))) return false
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === directory
  } catch {
    return true
  }
}

function commandOf(pid: number): string {
  try {
    return process.platform === 'linux'
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      : ps(pid, 'command=').replace(/\s.*$/, '')
  } catch {
    return ''
  }
}
