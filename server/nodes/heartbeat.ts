/**
 * Who else uses this database: each process that serves or works writes a row, says every few seconds that it is still
 * there, and looks at the others. What must be the same everywhere and is not is said by both.
 */
import { createHmac, randomUUID } from 'node:crypto'
import type { Core } from '#server/kernel/core.ts'
import { PartAway, type HealthPart } from '#server/kernel/process/health.ts'
import { beat, leave, type NodeRow } from '#server/nodes/store.ts'
import { readVersion } from '#server/nodes/version.ts'

const BEAT_MS = 5000
/** The end of a process waits no longer for its row to go. */
const LEAVE_MS = 500

export interface Heartbeat {
  /** For `/readyz`: what differs, in words. */
  readonly part: HealthPart
  /** Says that this process is there, and goes on saying so. Resolves when it has looked at the others once. */
  start(): Promise<void>
  /** Takes the row away. */
  close(): Promise<void>
}

export type HeartbeatNeeds = Pick<Core, 'db' | 'log' | 'publicUrl' | 'secrets'>

/** What of a process must be the same everywhere. */
export interface Self {
  readonly role: 'serves' | 'works'
  /** How it is reached, for the log of others. */
  readonly url: string
  readonly version?: string
}

/** Makes the heartbeat of this process; nothing is written before `start`. */
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
  // While the database is away nobody is known to have gone; `/readyz` names it.
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

/** By a mark two processes see whether they have the same key; nobody reads the key out of it. */
function marksOf(secrets: readonly string[]): string[] {
  return secrets.map((key) =>
    createHmac('sha256', key).update('nodes').digest('base64url').slice(0, 16),
  )
}

interface Difference {
  /** For strangers: no address. */
  readonly says: string
  readonly log: string
}

/**
 * Keys agree when each knows the key by which the other signs: so they may be changed one process after the other, the
 * new key first behind the old one, then before it.
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
