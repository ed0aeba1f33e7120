// Whether another process serves from the data folder, asked before anything takes minutes.
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { root } from './commands.mjs'
import { isAlive } from './lock.mjs'
import { Failure } from './status.mjs'

/**
 * A quick look; the server looks again, under its lock, and its word counts.
 * @throws {Failure} when the process that started the folder's database lives
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
 * The living process that started the database of the folder.
 * @param {string} folder
 */
function ownerOf(folder) {
  // Written by the server as number:start; the database's own file goes with it.
  const file = join(folder, 'postgres.owner')
  if (!existsSync(join(folder, 'postgres', 'postmaster.pid')) || !existsSync(file)) return undefined
  const [number = '', began = ''] = readFileSync(file, 'utf8').split(':')
  const pid = Number(number)
  return pid > 0 && isAlive(pid) && beganAt(pid) === began ? pid : undefined
}

/**
 * Tells a process from a later one with the same number; where it can't be asked cheaply, nothing is claimed.
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
