/** The rows of the message log: messages with the lines that stand between them. */
import type { Said } from '#web/chat/conversation/conversation.ts'

/** What one person wrote within a minute is a turn: their name is above it for readers, its time below. */
export interface MessageRow {
  readonly kind: 'message'
  readonly key: string
  readonly said: Said
  readonly opensTurn: boolean
  readonly closesTurn: boolean
}

export interface LineRow {
  /** A day's name, or the "new messages" divider. */
  readonly kind: 'day' | 'new'
  readonly key: string
  /** ISO 8601, of the message below. */
  readonly date: string
}

export type LogRow = MessageRow | LineRow

/**
 * A row's height depends on nothing above it, so that older messages can come without moving those that are read.
 * @param newFrom the id before which the divider stands, or null
 * @param inUtc days as the server sees them, for the first paint; else in the person's own time
 */
export function listRows(
  said: readonly Said[],
  newFrom: number | null,
  inUtc: boolean,
): readonly LogRow[] {
  const dayOf = ({ date }: Said) => (inUtc ? date.slice(0, 10) : new Date(date).toDateString())
  const parts = (one: Said | undefined, next: Said | undefined): boolean =>
    one === undefined ||
    next === undefined ||
    one.isOwn !== next.isOwn ||
    next.id === newFrom ||
    // Every zone is whole minutes away from UTC.
    one.date.slice(0, 16) !== next.date.slice(0, 16)
  return said.flatMap((message, place): LogRow[] => {
    const { id, date } = message
    const before = said[place - 1]
    const day = dayOf(message)
    const rows: LogRow[] = []
    if (before === undefined || dayOf(before) !== day) {
      rows.push({ kind: 'day', key: `day ${day}`, date })
    }
    if (id === newFrom) rows.push({ kind: 'new', key: 'new', date })
    rows.push({
      kind: 'message',
      key: `${id}`,
      said: message,
      opensTurn: parts(before, message),
      closesTurn: parts(message, said[place + 1]),
    })
    return rows
  })
}
