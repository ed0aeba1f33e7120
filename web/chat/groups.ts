/** Messages as they are laid out: one time under those that one person wrote within a minute, a line above each day. */
import type { Said } from '#web/chat/conversation.ts'

export type Block =
  | { readonly kind: 'day'; readonly key: string; readonly date: string }
  | { readonly kind: 'new'; readonly key: string }
  | {
      readonly kind: 'group'
      readonly key: string
      readonly isOwn: boolean
      readonly said: readonly Said[]
    }

/**
 * `newFrom`: the id before which the divider stands, or null. `inUtc`: days as the server sees them, for the first
 * paint; else in the person's own time.
 */
export function groupMessages(
  said: readonly Said[],
  newFrom: number | null,
  inUtc: boolean,
): readonly Block[] {
  const blocks: Block[] = []
  let day = ''
  let minute = ''
  let open: Said[] = []
  for (const message of said) {
    const { id, isOwn, date } = message
    const moment = new Date(date)
    const today = inUtc ? date.slice(0, 10) : moment.toDateString()
    if (today !== day) blocks.push({ kind: 'day', key: `day ${today}`, date })
    if (id === newFrom) blocks.push({ kind: 'new', key: 'new' })
    // Every zone is some minutes away from UTC.
    const now = date.slice(0, 16)
    const goesOn = open[0]?.isOwn === isOwn && now === minute && today === day && id !== newFrom
    if (goesOn) open.push(message)
    else {
      open = [message]
      blocks.push({ kind: 'group', key: String(id), isOwn, said: open })
    }
    day = today
    minute = now
  }
  return blocks
}
