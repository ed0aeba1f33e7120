import { describe, expect, test } from 'vitest'
import type { Action, LogEntry } from '#contract/moderation.ts'
import { findReversible } from '#web/operate/moderation/reversible.ts'

const person = { id: 'p', userName: 'ann', imageUrl: '/ann.webp' }
const NOW = Date.parse('2026-11-21T12:00:00Z')
const entry = (id: number, action: Action, days: number, subjectId = '7'): LogEntry => ({
  id,
  date: new Date(NOW - days * 24 * 60 * 60 * 1000).toISOString(),
  actor: person,
  action,
  subjectId,
  subject: null,
  person,
  reason: null,
})
const found = (...entries: LogEntry[]) => [...findReversible(entries, NOW)]

describe('entries that the log offers to undo', () => {
  test('include a comment deleted within thirty days', () => {
    expect(found(entry(2, 'commentDeleted', 29.9), entry(1, 'commentDeleted', 30.1, '8'))).toEqual([
      2,
    ])
  })
  test('exclude a comment that has been restored', () => {
    expect(found(entry(2, 'commentRestored', 1), entry(1, 'commentDeleted', 2))).toEqual([])
  })
  test('include only the later of two deletions', () => {
    expect(
      found(
        entry(3, 'commentDeleted', 1),
        entry(2, 'commentRestored', 2),
        entry(1, 'commentDeleted', 3),
      ),
    ).toEqual([3])
  })
  test('include a suspension of any age until it is lifted', () => {
    expect(found(entry(1, 'suspended', 400))).toEqual([1])
    expect(found(entry(2, 'unsuspended', 1), entry(1, 'suspended', 2))).toEqual([])
  })
  test('include nothing else', () => {
    expect(found(entry(2, 'lessonDeleted', 1), entry(1, 'flagClosed', 1))).toEqual([])
  })
})
