// Allows one install or build at a time in a checkout.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { scratch } from './commands.mjs'

/**
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @param {string} [folder] for the lock; that of this checkout unless given
 * @returns {Promise<T>}
 */
export async function alone(name, work, folder = scratch()) {
  const path = join(folder, `${name}.lock`)
  let isAnnounced = false
  while (!take(path)) {
    const holder = holderOf(path)
    if (holder && !isAlive(holder)) {
      await sleep(100)
      if (holderOf(path) === holder) rmSync(path, { force: true })
      continue
    }
    if (!isAnnounced) process.stderr.write(`… Process ${holder} is at it already; waiting\n`)
    isAnnounced = true
    await sleep(250)
  }
  const free = () => rmSync(path, { force: true })
  process.once('exit', free)
  try {
    return await work()
  } finally {
    process.removeListener('exit', free)
    free()
  }
}

/** @param {string} path */
function take(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

/** @param {string} path */
function holderOf(path) {
  try {
    return Number(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

/** @param {number} pid */
export function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return !isZombie(pid)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/**
 * A zombie has exited, but its parent never waits for it, as in some containers.
 * @param {number} pid
 */
function isZombie(pid) {
  try {
    return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}
