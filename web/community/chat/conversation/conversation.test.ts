import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Message } from '#contract/chat.ts'
import { CATCH_UP, HISTORY_PAGE } from '#contract/limits.ts'
import {
  addUnsent,
  beginConversation,
  changeUnsent,
  newestId,
  takeNewer,
  takeNewest,
  takeOlder,
  takeReceived,
  takeSent,
  unsentShown,
  type Conversation,
} from '#web/community/chat/conversation/conversation.ts'

function messageOf(id: number, isOwn: boolean, names = { me: 'ann', other: 'bob' }): Message {
  const [sender, receiver] = isOwn ? [names.me, names.other] : [names.other, names.me]
  return {
    id,
    text: `message ${id}`,
    senderUsername: sender,
    senderImage: `/${sender}.webp`,
    receiverUsername: receiver,
    receiverImage: `/${receiver}.webp`,
    date: new Date(id * 60_000).toISOString(),
  }
}

const newest = (all: readonly Message[]) => all.slice(-HISTORY_PAGE)
const before = (all: readonly Message[], id: number) =>
  all.filter((message) => message.id < id).slice(-HISTORY_PAGE)
const after = (all: readonly Message[], id: number) =>
  all.filter((message) => message.id > id).slice(0, CATCH_UP)

function takeLive(old: Conversation, message: Message, isSeen: boolean): Conversation {
  return message.senderUsername === old.me
    ? takeSent(old, message)
    : takeReceived(old, message, isSeen)
}

function catchUp(old: Conversation, all: readonly Message[], isSeen: boolean): Conversation {
  if (old.known.to === 0) return takeNewest(old, newest(all), isSeen)
  return takeNewer(old, after(all, old.known.to), isSeen)
}

const idsOf = ({ confirmed }: Conversation) => confirmed.map((one) => one.id)

/** Part of a conversation. The ids have gaps, because messages of other conversations lie between. */
const histories = fc
  .array(fc.record({ isOwn: fc.boolean(), gap: fc.integer({ min: 1, max: 3 }) }), {
    maxLength: 450,
    size: 'max',
  })
  .map((list) => {
    let id = 0
    return list.map(({ isOwn, gap }) => messageOf((id += gap), isOwn))
  })

const share = fc.double({ min: 0, max: 1, noNaN: true })
const steps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('live'), at: share }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('catchUp'), at: share }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('older'), at: fc.constant(0) }) },
  ),
  { maxLength: 60, size: 'max' },
)
test('the order in which messages arrive does not change the list', () => {
  const run = (all: readonly Message[], given: readonly { kind: string; at: number }[]) => {
    const until = (share: number) => all.slice(0, Math.round(all.length * share))
    let grown = Math.min(all.length, Math.round(all.length * (given[0]?.at ?? 0)))
    let now = beginConversation({
      me: 'ann',
      other: 'bob',
      history: newest(all.slice(0, grown)),
      unread: 0,
    })
    for (const { kind, at } of given) {
      const old = now
      if (kind === 'live') {
        const message = all[Math.min(all.length - 1, Math.floor(all.length * at))]
        if (message !== undefined) now = takeLive(now, message, true)
      } else if (kind === 'catchUp') {
        grown = Math.max(grown, until(at).length)
        now = catchUp(now, all.slice(0, grown), true)
      } else if (now.hasOlder) now = takeOlder(now, before(all, now.known.from))
      expect(idsOf(now)).toEqual([...new Set(idsOf(now))].toSorted((one, two) => one - two))
      const there = new Set(idsOf(now))
      expect(idsOf(old).filter((id) => !there.has(id))).toEqual([])
      const whole = all.filter(({ id }) => id >= now.known.from && id <= now.known.to)
      expect(whole.filter(({ id }) => !there.has(id))).toEqual([])
    }
    for (let page = 0; page < 5; page++) now = catchUp(now, all, true)
    while (now.hasOlder) now = takeOlder(now, before(all, now.known.from))
    return now
  }
  fc.assert(
    fc.property(histories, steps, (all, given) => {
      const { confirmed } = run(all, given)
      expect(confirmed).toEqual(
        all.map(({ id, text, date, senderUsername, senderImage }) => ({
          id,
          text,
          date,
          isOwn: senderUsername === 'ann',
          image: senderImage,
        })),
      )
    }),
    { numRuns: 80 },
  )
})

test('the divider stands before the oldest unseen message', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray([11, 12, 13, 14, 15]), (ids) => {
      let now = beginConversation({
        me: 'ann',
        other: 'bob',
        history: [messageOf(10, false)],
        unread: 0,
      })
      for (const id of ids) now = takeReceived(now, messageOf(id, false), false)
      now = takeReceived(now, messageOf(16, false), true)
      expect(now.newFrom).toBe(ids.length === 0 ? null : Math.min(...ids))
    }),
  )
})

describe('a conversation', () => {
  const begin = (history: readonly Message[], unread = 0) =>
    beginConversation({ me: 'ann', other: 'bob', history, unread })

  test('starts with a divider before its unread messages', () => {
    const history = [1, 2, 3, 4].map((id) => messageOf(id, id === 3))
    expect(begin(history, 2).newFrom).toBe(2)
    expect(begin(history, 99).newFrom).toBe(1)
    expect(begin(history).newFrom).toBeNull()
  })

  test('follows when either person is renamed', () => {
    const renamed = { me: 'ann', other: 'robert' }
    const now = takeNewer(begin([messageOf(1, false)]), [messageOf(2, false, renamed)], true)
    expect([now.other, now.confirmed.map((one) => one.isOwn)]).toEqual(['robert', [false, false]])
    const mine = { me: 'anna', other: 'robert' }
    const later = takeNewer(now, [messageOf(3, true, mine), messageOf(4, false, mine)], true)
    expect([later.me, later.other]).toEqual(['anna', 'robert'])
    expect(later.confirmed.map((one) => one.isOwn)).toEqual([false, false, true, false])
  })

  const draft = { draftId: 'd', text: 'message 3', date: '', triedAfter: null }

  test('shows a message only once if its confirmation was lost', () => {
    const old = addUnsent(begin([messageOf(1, false), messageOf(2, true)]), draft)
    const tried = changeUnsent(old, 'd', { triedAfter: newestId(old) })
    expect(unsentShown(tried)).toHaveLength(1)
    expect(unsentShown(takeNewer(tried, [messageOf(3, true)], true))).toEqual([])
  })

  test('shows an unsent message that was never tried, and the second of two equal ones', () => {
    const old = addUnsent(begin([messageOf(2, true)]), draft)
    expect(unsentShown(takeNewer(old, [messageOf(3, true)], true))).toHaveLength(1)
    const two = addUnsent(old, { ...draft, draftId: 'e' })
    const tried = ['d', 'e'].reduce((now, id) => changeUnsent(now, id, { triedAfter: 2 }), two)
    const came = takeNewer(tried, [messageOf(3, true)], true)
    expect(unsentShown(came).map((one) => one.draftId)).toEqual(['e'])
  })
})
