import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Comment } from '#contract/comments.ts'
import { mergeComments, newestId, splitAtPages } from '#web/items/comments/merge.ts'

const comment = (id: number, text = `text ${id}`): Comment => ({
  id,
  text,
  user: 'u',
  userName: 'ann',
  profilePicture: '/art/a.svg',
  lessonId: 1,
  lessonTitle: 'Knots',
  date: '2026-11-21T10:00:00.000Z',
  mine: false,
  replyTo: null,
  byAuthor: false,
  edited: null,
  replies: 0,
})
const lists = fc.uniqueArray(fc.integer({ min: 1, max: 200 }), { maxLength: 60 })
const commentsWith = (ids: readonly number[]) =>
  ids.toSorted((a, b) => b - a).map((id) => comment(id))

test('nothing new leaves the list as it is', () => {
  const known = commentsWith([1, 2])
  expect(mergeComments(known, [])).toBe(known)
})

test('the newer version of a comment wins', () => {
  expect(mergeComments([comment(1, 'old')], [comment(1, 'new')])).toEqual([comment(1, 'new')])
})

test('merges two lists, newest first, without duplicates', () => {
  fc.assert(
    fc.property(lists, lists, (known, more) => {
      const ids = mergeComments(commentsWith(known), commentsWith(more)).map(({ id }) => id)
      expect(ids).toEqual([...new Set([...known, ...more])].toSorted((a, b) => b - a))
    }),
  )
})

test('the newest id never goes back', () => {
  fc.assert(
    fc.property(lists, fc.nat(300), (ids, before) => {
      expect(newestId(commentsWith(ids), before)).toBe(Math.max(before, ...ids))
    }),
  )
})

test('the chunks together are the list, split at the page borders', () => {
  fc.assert(
    fc.property(lists, lists, (ids, given) => {
      const list = commentsWith(ids)
      const starts = given.toSorted((a, b) => b - a)
      const chunks = splitAtPages(list, starts)
      expect(chunks.flatMap(({ rows }) => rows)).toEqual(list)
      for (const { start, rows } of chunks) {
        const end = starts.find((other) => other < start) ?? 0
        expect(rows.every(({ id }) => id <= start && id > end)).toBe(true)
      }
    }),
  )
})

test('a new comment does not move others to another chunk', () => {
  const starts = [40, 20]
  const before = splitAtPages(commentsWith([10, 20, 30, 40]), starts)
  const after = splitAtPages(commentsWith([10, 20, 30, 40, 50]), starts)
  expect(after).toEqual([{ start: Infinity, rows: commentsWith([50]) }, ...before])
})
