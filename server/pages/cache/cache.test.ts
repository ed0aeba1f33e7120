import { expect, test } from 'vitest'
import {
  courseRef,
  createChanges,
  lessonRef,
  type Change,
} from '#server/platform/events/changes.ts'
import { followChanges } from '#server/pages/cache/cache.ts'

test.each<[string, Change, readonly string[] | 'all']>([
  [
    'an item that was written takes its page and every list along',
    { kind: 'itemsChanged', items: [courseRef(3), lessonRef(7)] },
    ['course:3', 'lesson:7', 'lists'],
  ],
  [
    'a like takes the page of its item alone',
    { kind: 'numbersChanged', items: [lessonRef(7)] },
    ['lesson:7'],
  ],
  [
    'a certificate that ends takes its page alone',
    { kind: 'certificateChanged', code: 'c0de' },
    ['certificate:c0de'],
  ],
  ['a new name takes everything', { kind: 'personRenamed', userId: 'a' }, 'all'],
  ['an erased account takes everything', { kind: 'personErased', userId: 'a' }, 'all'],
])('%s', (_, change, dropped) => {
  const changes = createChanges({ error: () => undefined })
  const drops: unknown[] = []
  followChanges({ drop: (tags) => drops.push(tags) }, changes)
  changes.publish(change)
  expect(drops).toEqual([dropped])
})

test('the end of a session drops no pages of guests', () => {
  const changes = createChanges({ error: () => undefined })
  const drops: unknown[] = []
  followChanges({ drop: (tags) => drops.push(tags) }, changes)
  changes.publish({ kind: 'sessionEnded', userId: 'a', sessionId: 's' })
  changes.publish({ kind: 'messagesRead', userId: 'a' })
  expect(drops).toEqual([])
})
