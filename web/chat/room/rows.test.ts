import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Said } from '#web/chat/conversation/conversation.ts'
import { listRows } from '#web/chat/room/rows.ts'

const NOON = Date.UTC(2026, 10, 21, 12)

const say = (id: number, seconds: number, isOwn = false): Said => ({
  id,
  text: `${id}`,
  date: new Date(NOON + seconds * 1000).toISOString(),
  isOwn,
  image: '/face.svg',
})

/** Messages as their ids, turns in brackets. */
const sketch = (said: readonly Said[], newFrom: number | null = null): string =>
  listRows(said, newFrom, true)
    .map((row) =>
      row.kind === 'message'
        ? `${row.opensTurn ? '[' : ''}${row.key}${row.closesTurn ? ']' : ''}`
        : row.kind,
    )
    .join(' ')

test('a minute, another writer and a day part turns', () => {
  const said = [say(1, 0), say(2, 59), say(3, 60), say(4, 61, true), say(5, 86_400 + 61, true)]
  expect(sketch(said)).toBe('day [1 2] [3] [4] day [5]')
})

test('the divider parts what was said in one minute', () => {
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

test('rows hold every message once, in order, under keys of their own', () => {
  fc.assert(
    fc.property(Conversation, (said) => {
      const rows = listRows(said, null, true)
      expect(rows.flatMap((row) => (row.kind === 'message' ? [row.said] : []))).toEqual(said)
      expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length)
    }),
  )
})

test('older messages leave every row below as it is, but whether it opens a turn', () => {
  fc.assert(
    fc.property(Conversation, fc.nat(298), (said, cut) => {
      const from = Math.min(cut, said.length - 2) + 1
      const seen = (rows: ReturnType<typeof listRows>) =>
        rows.map((row) => (row.kind === 'message' ? [row.key, row.closesTurn] : [row.key]))
      // The day above the oldest may begin higher up.
      const before = seen(listRows(said.slice(from), null, true).slice(1))
      expect(seen(listRows(said, null, true)).slice(-before.length)).toEqual(before)
    }),
  )
})
