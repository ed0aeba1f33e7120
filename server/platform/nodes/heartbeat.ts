/**
 * Detects other processes that use this database: each writes a row, refreshes it every few seconds and reads the
 * others'. Both report settings that must be equal and aren't.
 */
import { createHmac, randomUUID } from 'node:crypto'
import type { Core } from '#server/platform/core/core.ts'
import { PartAway, type HealthPart } from '#server/kernel/process/health.ts'
import { beat, leave, type NodeRow } from '#server/platform/nodes/store.ts'
import { readVersion } from '#server/platform/nodes/version.ts'

const BEAT_MS = 5000
/** In ms: the end of a process doesn't wait longer for the removal of its row. */
const LEAVE_MS = 500

export interface Heartbeat {
  /** Reports differences at `/readyz`. */
  readonly part: HealthPart
  /** Announces this process and keeps doing so. Resolves after reading the other rows once. */
  start(): Promise<void>
  /** Removes the row. */
  close(): Promise<void>
}

export type HeartbeatNeeds = Pick<Core, 'db' | 'log' | 'publicUrl' | 'secrets'>

/** What must be the same in all processes. */
export interface Self {
  readonly role: 'serves' | 'works'
  /** Its address, for the logs of others. */
  readonly url: string
  readonly version?: string
}

/** Writes nothing before `start`. */
export function createHeartbeat(
  { db, log, publicUrl, secrets }: HeartbeatNeeds,
  { role, url, version = readVersion() }: Self,
): Heartbeat {
  const own: NodeRow = {
    node: randomUUID(),
    role,
    url,
    version,
    publicUrl,
    keyMarks: marksOf(secrets),
  }
  let differences: readonly Difference[] = []
  let timer: NodeJS.Timeout | undefined

  const look = async () => {
    const others = await beat(db, own)
    const found = others.flatMap((other) => differencesBetween(own, other))
    const said = new Set(differences.map(({ log: line }) => line))
    for (const { log: line } of found) if (!said.has(line)) log.warn(line)
    if (found.length === 0 && differences.length > 0) log.info('all nodes and workers agree again')
    differences = found
  }
  // While the database is unavailable, no process is known to be gone; `/readyz` names the database.
  const tryLook = () =>
    look().catch((error: unknown) => log.debug({ err: error }, 'no heartbeat could be written'))
  return {
    part: {
      name: 'nodes',
      needed: false,
      check: async () => {
        const words = new Set(differences.map(({ says }) => says))
        if (words.size > 0) throw new PartAway([...words].join('; '))
      },
    },
    start: async () => {
      await tryLook()
      timer = setInterval(() => void tryLook(), BEAT_MS)
      timer.unref()
    },
    close: async () => {
      clearInterval(timer)
      if (timer === undefined) return
      const late = new Promise((resolve) => void setTimeout(resolve, LEAVE_MS).unref())
      await Promise.race([leave(db, own.node).catch(() => undefined), late])
    },
  }
}

/** By these marks two processes can compare their keys without revealing them. */
function marksOf(secrets: readonly string[]): string[] {
  return secrets.map((key) =>
    createHmac('sha256', key).update('nodes').digest('base64url').slice(0, 16),
  )
}

interface Difference {
  /** For everybody, so it contains no address. */
  readonly says: string
  readonly log: string
}

/**
 * Keys agree when each process knows the key with which the other signs. So they can be changed one process at a
 * time: first the new key after the old one, then before it.
 */
function differencesBetween(own: NodeRow, other: NodeRow): Difference[] {
  const who = `${other.role === 'works' ? 'The worker' : 'The node'} ${other.url}`
  const found: Difference[] = []
  const knows = (one: NodeRow, signer: string | undefined) =>
    signer !== undefined && one.keyMarks.includes(signer)
  if (!knows(own, other.keyMarks[0]) || !knows(other, own.keyMarks[0]))
    found.push({
      says: 'AUTH_SECRETS differ between the nodes: give all the same',
      log: `${who} uses this database with other AUTH_SECRETS: who signs in at one is a stranger at the other. Give all nodes and workers the same.`,
    })
  if (own.publicUrl !== other.publicUrl)
    found.push({
      says: 'PUBLIC_URL differs between the nodes: give all the same',
      log: `${who} uses this database with the PUBLIC_URL ${other.publicUrl}, this one with ${own.publicUrl}: links, mails and cookies of one lead away from the other. Give all nodes and workers the same.`,
    })
  if (own.version !== other.version)
    found.push({
      says: 'versions differ between the nodes: fine during an upgrade, else start all with the same',
      log: `${who} runs version ${other.version}, this one ${own.version}: fine during an upgrade, else start all with the same.`,
    })
  return found
}
