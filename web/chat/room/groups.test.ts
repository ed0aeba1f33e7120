import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Said } from '#web/chat/conversation/conversation.ts'
import { chunkGroups, groupMessages } from '#web/chat/room/groups.ts'

const NOON = Date.UTC(2026, 10, 21, 12)

const say = (id: number, seconds: number, isOwn = false): Said => ({
  id,
  text: `${id}`,
  date: new Date(NOON + seconds * 1000).toISOString(),
  isOwn,
  image: '/face.svg',
})
const idsOf = (groups: ReturnType<typeof groupMessages>) =>
  groups.map(({ said }) => said.map(({ id }) => id))

test('a minute, a turn and a day part groups', () => {
  const said = [say(1, 0), say(2, 59), say(3, 60), say(4, 61, true), say(5, 86_400 + 61, true)]
  const groups = groupMessages(said, null, true)
  expect(idsOf(groups)).toEqual([[1, 2], [3], [4], [5]])
  expect(groups.map(({ opensDay }) => opensDay)).toEqual([true, false, false, true])
})

test('the divider parts what was said in one minute', () => {
  const groups = groupMessages([say(1, 0), say(2, 1), say(3, 2)], 2, true)
  expect(idsOf(groups)).toEqual([[1], [2, 3]])
  expect(groups.map(({ opensNew }) => opensNew)).toEqual([false, true])
})

const Conversation = fc
  .array(fc.record({ gap: fc.integer({ min: 0, max: 90 }), isOwn: fc.boolean() }), {
    minLength: 2,
    maxLength: 300,
  })
  .map((turns) => {
    let seconds = 0
    return turns.map(({ gap, isOwn }, place) => say(place + 1, (seconds += gap), isOwn))
  })

test('chunks hold every message once, in order', () => {
  fc.assert(
    fc.property(Conversation, fc.array(fc.nat(300)), (said, starts) => {
      const chunks = chunkGroups(groupMessages(said, null, true), starts)
      expect(chunks.flatMap(({ groups }) => groups.flatMap((group) => group.said))).toEqual(said)
      expect(new Set(chunks.map(({ start }) => start)).size).toBe(chunks.length)
    }),
  )
})

test('a page above leaves the chunks below alone', () => {
  fc.assert(
    fc.property(Conversation, fc.nat(298), (said, cut) => {
      const from = Math.min(cut, said.length - 2) + 1
      const [oldest] = said
      const start = said[from]?.id ?? 0
      const before = chunkGroups(groupMessages(said.slice(from), null, true), [start])
      const after = chunkGroups(groupMessages(said, null, true), [oldest?.id ?? 0, start])
      const below = after.filter((chunk) => chunk.start >= start)
      // A minute that began above takes its first words there; the rest is as it was.
      const ids = (chunks: typeof after) =>
        chunks.flatMap(({ groups }) => groups.map(({ said: [first] }) => first?.id))
      const kept = ids(before).filter((id) => ids(below).includes(id))
      expect(ids(below)).toEqual(kept)
      expect(ids(before).length - kept.length).toBeLessThanOrEqual(1)
      if (kept.length === ids(before).length)
        expect(below.map((chunk) => chunk.start)).toEqual(before.map((chunk) => chunk.start))
    }),
  )
})
