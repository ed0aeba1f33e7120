import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ConfirmedMessage } from '#web/community/chat/conversation/conversation.ts'
import { listRows } from '#web/community/chat/room/rows.ts'

const NOON = Date.UTC(2026, 10, 21, 12)

const say = (id: number, seconds: number, isOwn = false): ConfirmedMessage => ({
  id,
  text: `${id}`,
  date: new Date(NOON + seconds * 1000).toISOString(),
  isOwn,
  image: '/face.svg',
})

/** Shows messages as ids, with turns in brackets. */
const sketch = (messages: readonly ConfirmedMessage[], newFrom: number | null = null): string =>
  listRows(messages, newFrom, true)
    .map((row) =>
      row.kind === 'message'
        ? `${row.opensTurn ? '[' : ''}${row.key}${row.closesTurn ? ']' : ''}`
        : row.kind,
    )
    .join(' ')

test('a new minute, writer or day starts a turn', () => {
  const messages = [say(1, 0), say(2, 59), say(3, 60), say(4, 61, true), say(5, 86_400 + 61, true)]
  expect(sketch(messages)).toBe('day [1 2] [3] [4] day [5]')
})

test('the divider splits a turn', () => {
  expect(sketch([say(1, 0), say(2, 1), say(3, 2)], 2)).toBe('day [1] new [2 3]')
})

const Conversation = fc
  .array(fc.record({ gap: fc.integer({ min: 0, max: 20_000 }), isOwn: fc.boolean() }), {
    minLength: 2,
    maxLength: 300,
  })
  .map((turns) => {
    let seconds = 0
    return turns.map(({ gap, isOwn }, place) => say(place + 1, (seconds += gap), isOwn))
  })

test('rows contain every message once, in order, with unique keys', () => {
  fc.assert(
    fc.property(Conversation, (messages) => {
      const rows = listRows(messages, null, true)
      expect(rows.flatMap((row) => (row.kind === 'message' ? [row.message] : []))).toEqual(messages)
      expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length)
    }),
  )
})

test('older messages change rows below only in whether they start a turn', () => {
  fc.assert(
    fc.property(Conversation, fc.nat(298), (messages, cut) => {
      const from = Math.min(cut, messages.length - 2) + 1
      const seen = (rows: ReturnType<typeof listRows>) =>
        rows.map((row) => (row.kind === 'message' ? [row.key, row.closesTurn] : [row.key]))
      // The divider of the oldest day may move up.
      const before = seen(listRows(messages.slice(from), null, true).slice(1))
      expect(seen(listRows(messages, null, true)).slice(-before.length)).toEqual(before)
    }),
  )
})
