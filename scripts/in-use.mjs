// Detects a running process on the data folder before steps that take minutes.
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { root } from './commands.mjs'
import { isAlive } from './lock.mjs'
import { Failure } from './status.mjs'

/**
 * A quick check. The server checks again under its lock, which is authoritative.
 * @throws {Failure} when the process that started the folder's database is running
 */
export function refuseUsedFolder() {
  if (process.env.DATABASE_URL || process.env.DATABASE_URL_FILE) return
  const given = process.env.DATA_DIR || './data'
  const owner = ownerOf(resolve(root, given))
  if (owner === undefined) return
  throw new Failure(
    `DATA_DIR (${given}) is in use by process ${owner}. Stop it, or set DATA_DIR to another folder.`,
  )
}

/**
 * Returns the running process that started the folder's database.
 * @param {string} folder
 */
function ownerOf(folder) {
  // The server writes pid:start time, and removes the file together with that of the database.
  const file = join(folder, 'postgres.owner')
  if (!existsSync(join(folder, 'postgres', 'postmaster.pid')) || !existsSync(file)) return undefined
  const [number = '', began = ''] = readFileSync(file, 'utf8').split(':')
  const pid = Number(number)
  return pid > 0 && isAlive(pid) && beganAt(pid) === began ? pid : undefined
}

/**
 * Distinguishes a process from a later one with the same id. Returns undefined where this is not available
 * cheaply.
 * @param {number} pid
 */
function beganAt(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}
