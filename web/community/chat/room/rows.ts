import type { ConfirmedMessage } from '#web/community/chat/conversation/conversation.ts'

/** What one person wrote within a minute is a turn. Its name precedes it for screen readers; its time follows. */
export interface MessageRow {
  readonly kind: 'message'
  readonly key: string
  readonly message: ConfirmedMessage
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
 * A row's height must not depend on the rows above it, so that older messages load without moving the rest. With
 * `inUtc`, days are those of the server, for the first render.
 */
export function listRows(
  messages: readonly ConfirmedMessage[],
  newFrom: number | null,
  inUtc: boolean,
): readonly LogRow[] {
  const dayOf = ({ date }: ConfirmedMessage) =>
    inUtc ? date.slice(0, 10) : new Date(date).toDateString()
  const parts = (one: ConfirmedMessage | undefined, next: ConfirmedMessage | undefined): boolean =>
    one === undefined ||
    next === undefined ||
    one.isOwn !== next.isOwn ||
    next.id === newFrom ||
    // All time zones differ from UTC by whole minutes.
    one.date.slice(0, 16) !== next.date.slice(0, 16)
  return messages.flatMap((message, place): LogRow[] => {
    const { id, date } = message
    const before = messages[place - 1]
    const day = dayOf(message)
    const rows: LogRow[] = []
    if (before === undefined || dayOf(before) !== day) {
      rows.push({ kind: 'day', key: `day ${day}`, date })
    }
    if (id === newFrom) rows.push({ kind: 'new', key: 'new', date })
    rows.push({
      kind: 'message',
      key: `${id}`,
      message,
      opensTurn: parts(before, message),
      closesTurn: parts(message, messages[place + 1]),
    })
    return rows
  })
}
