/** Harms a running cluster from a test or another terminal. */
import { readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { Failure } from '#scripts/status.mjs'
import { addressOf, plug } from './network.ts'
import { offFile } from './part.ts'
import { findPrimary, POSTGRES_FOLDER } from './parts/patroni.ts'
import { findRedisPrimary } from './parts/redis.ts'
import type { Picture, PictureOfPart } from './picture.ts'

/**
 * Kills (kill -9) a part by its name, or `primary`, the primary PostgreSQL, or `redis`, the primary Redis. Returns
 * a description of the process.
 * @throws Failure for an unknown part
 */
export async function killPart(picture: Picture, what: string): Promise<string> {
  if (what === 'primary') {
    const host = await findPrimary(picture.network)
    if (host === null) throw new Failure('No PostgreSQL is the primary at the moment.')
    const pid = postmasterOf(picture, host)
    process.kill(pid, 'SIGKILL')
    return `the server process of ${host}, the primary (${pid})`
  }
  const part = partOf(picture, what === 'redis' ? await primaryRedis(picture) : what)
  if (part.pid === null) throw new Failure(`${part.name} does not run at the moment.`)
  process.kill(part.pid, 'SIGKILL')
  return `${part.name} (${part.pid})`
}

/** Returns the host of the primary Redis according to the Sentinels. */
export async function primaryRedis({ network, password }: Picture): Promise<string> {
  return (await findRedisPrimary(network, password, ['etcd', 'redis1', 'redis2'])) ?? 'redis1'
}

function partOf({ parts }: Picture, name: string): PictureOfPart {
  const part = parts.find((each) => each.name === name)
  if (part !== undefined) return part
  const known = ['primary', 'redis', ...parts.map((each) => each.name)]
  throw new Failure(`There is no part "${name}": there are ${known.join(', ')}.`)
}

function postmasterOf({ folder }: Picture, host: string): number {
  const file = join(folder, host, POSTGRES_FOLDER, 'postmaster.pid')
  return Number.parseInt(readFileSync(file, 'utf8'), 10)
}

/**
 * Disconnects a host and kills its processes. They restart after `switchOn`.
 * @throws Failure for an unknown host
 */
export function switchOff(picture: Picture, host: string): void {
  addressOf(picture.network, host)
  writeFileSync(offFile(picture.folder, host), '')
  plug(picture.network, host, false)
  for (const pid of processesOf(picture, host)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It ended together with another one.
    }
  }
}

/** Undoes `switchOff`. @throws Failure for an unknown host */
export function switchOn(picture: Picture, host: string): void {
  addressOf(picture.network, host)
  plug(picture.network, host, true)
  rmSync(offFile(picture.folder, host), { force: true })
}

/** Returns the parts of a host, and processes in their folders, such as a database server started by Patroni. */
function processesOf({ folder, parts }: Picture, host: string): number[] {
  const own = parts.filter((part) => part.host === host)
  const folders = own.map(({ name }) => join(folder, name))
  const below = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && worksIn(pid, folders))
  return [...own.flatMap(({ pid }) => pid ?? []), ...below.map(Number)]
}

function worksIn(pid: string, folders: readonly string[]): boolean {
  try {
    const place = readlinkSync(`/proc/${pid}/cwd`)
    return folders.some((folder) => place === folder || place.startsWith(`${folder}${sep}`))
  } catch {
    return false
  }
}
