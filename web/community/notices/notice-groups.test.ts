import { expect, test } from 'vitest'
import type { Notice } from '#contract/notices.ts'
import { groupNotices } from '#web/community/notices/notice-groups.ts'

const notice = (id: number, given: Partial<Notice>): Notice => ({
  id,
  kind: 'liked',
  detail: null,
  item: { kind: 'lesson', id: 7, title: 'Knots that hold', gone: false },
  comment: null,
  act: null,
  actor: null,
  count: 1,
  amount: 0,
  note: null,
  date: '2026-01-01T00:00:00.000Z',
  read: true,
  ...given,
})
const course = { kind: 'course', id: 7, title: 'Knots', gone: false } as const

test('notices about one item on several days form one line at the newest position', () => {
  const groups = groupNotices([
    notice(9, { count: 2 }),
    notice(8, { kind: 'sold', amount: 10, detail: 'share' }),
    notice(7, { item: course }),
    notice(6, { count: 3 }),
    notice(5, { kind: 'sold', amount: 20, count: 2, detail: 'share' }),
  ])
  expect(groups.map(({ ids, count, amount }) => [ids, count, amount])).toEqual([
    [[9, 6], 5, 0],
    [[8, 5], 3, 30],
    [[7], 1, 0],
  ])
})

test('unread notices, moderation and points are not grouped', () => {
  const alone = [
    notice(9, { read: false }),
    notice(8, {}),
    notice(7, { kind: 'moderation' }),
    notice(6, { kind: 'moderation' }),
    notice(5, { kind: 'points' }),
    notice(4, { kind: 'points' }),
  ]
  expect(groupNotices(alone).map(({ id }) => id)).toEqual([9, 8, 7, 6, 5, 4])
})
