/** Messages as they are laid out: one time under those that one person wrote within a minute, a line above each day. */
import type { Said } from '#web/chat/conversation/conversation.ts'

export interface Group {
  readonly isOwn: boolean
  /** At least one. */
  readonly said: readonly Said[]
  /** It is the first of its day. */
  readonly opensDay: boolean
  /** The "new messages" divider stands above it. */
  readonly opensNew: boolean
}

/** What is drawn, or left out while it is out of sight, as a whole. */
export interface Chunk {
  /** Of no other chunk, and the same as long as it goes on. */
  readonly start: number
  readonly groups: readonly Group[]
}

/**
 * `newFrom`: the id before which the divider stands, or null. `inUtc`: days as the server sees them, for the first
 * paint; else in the person's own time.
 */
export function groupMessages(
  said: readonly Said[],
  newFrom: number | null,
  inUtc: boolean,
): readonly Group[] {
  const groups: Group[] = []
  let day = ''
  let minute = ''
  let open: Said[] = []
  for (const message of said) {
    const { id, isOwn, date } = message
    const today = inUtc ? date.slice(0, 10) : new Date(date).toDateString()
    // Every zone is whole minutes away from UTC.
    const now = date.slice(0, 16)
    const goesOn = open[0]?.isOwn === isOwn && now === minute && today === day && id !== newFrom
    if (goesOn) open.push(message)
    else {
      open = [message]
      groups.push({ isOwn, said: open, opensDay: today !== day, opensNew: id === newFrom })
    }
    day = today
    minute = now
  }
  return groups
}

/** Groups of a chunk of its own beyond this many. */
const MOST_GROUPS = 50

/**
 * `starts`: the ids at which pages of the history began. Chunks begin there, so that a page that comes above leaves
 * those below as they are; what is written since is cut as it grows.
 */
export function chunkGroups(groups: readonly Group[], starts: readonly number[]): readonly Chunk[] {
  const chunks: { start: number; groups: Group[] }[] = []
  const known = starts.toSorted((one, other) => one - other)
  let next = 0
  for (const group of groups) {
    const first = group.said[0]?.id ?? 0
    const isFull = chunks.length === 0 || chunks.at(-1)?.groups.length === MOST_GROUPS
    let start = isFull ? first : null
    for (let page = known[next]; page !== undefined && page <= first; page = known[next]) {
      start = page
      next += 1
    }
    if (start !== null) chunks.push({ start, groups: [] })
    chunks.at(-1)?.groups.push(group)
  }
  return chunks
}
