import { expect, test } from 'vitest'
import { courseRef, lessonRef, type Event } from '#server/platform/events/catalogue.ts'
import { createEvents } from '#server/platform/events/events.ts'
import { followEvents } from '#server/pages/cache/cache.ts'

test.each<[string, Event, readonly string[] | 'all']>([
  [
    'an item that was written takes its page and every list along',
    { type: 'items.changed', items: [courseRef(3), lessonRef(7)] },
    ['course:3', 'lesson:7', 'lists'],
  ],
  [
    'a like takes the page of its item alone',
    { type: 'items.counted', items: [lessonRef(7)] },
    ['lesson:7'],
  ],
  [
    'a certificate that ends takes its page alone',
    { type: 'certificate.changed', code: 'c0de' },
    ['certificate:c0de'],
  ],
  ['a new name takes everything', { type: 'user.renamed', userId: 'a' }, 'all'],
  ['an erased account takes everything', { type: 'user.erased', userId: 'a' }, 'all'],
])('%s', (_, change, dropped) => {
  const events = createEvents({ error: () => undefined })
  const drops: unknown[] = []
  followEvents({ drop: (tags) => drops.push(tags) }, events)
  events.publish(change)
  expect(drops).toEqual([dropped])
})

test('the end of a session drops no pages of guests', () => {
  const events = createEvents({ error: () => undefined })
  const drops: unknown[] = []
  followEvents({ drop: (tags) => drops.push(tags) }, events)
  events.publish({ type: 'session.ended', userId: 'a', sessionId: 's' })
  events.publish({ type: 'messages.read', userId: 'a' })
  expect(drops).toEqual([])
})
