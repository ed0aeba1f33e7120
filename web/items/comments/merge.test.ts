import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Comment } from '#contract/comments.ts'
import { mergeComments, newestId, stretchesOf } from '#web/items/comments/merge.ts'

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
const stretch = fc.uniqueArray(fc.integer({ min: 1, max: 200 }), { maxLength: 60 })
const written = (ids: readonly number[]) => ids.toSorted((a, b) => b - a).map((id) => comment(id))

test('nothing new leaves the list as it is', () => {
  const known = written([1, 2])
  expect(mergeComments(known, [])).toBe(known)
})

test('the later word of a comment holds', () => {
  expect(mergeComments([comment(1, 'old')], [comment(1, 'new')])).toEqual([comment(1, 'new')])
})

test('two stretches are one list, newest first, each once', () => {
  fc.assert(
    fc.property(stretch, stretch, (known, more) => {
      const ids = mergeComments(written(known), written(more)).map(({ id }) => id)
      expect(ids).toEqual([...new Set([...known, ...more])].toSorted((a, b) => b - a))
    }),
  )
})

test('the order in which stretches come changes nothing', () => {
  fc.assert(
    fc.property(stretch, stretch, (one, other) => {
      expect(mergeComments(written(one), written(other))).toEqual(
        mergeComments(written(other), written(one)),
      )
    }),
  )
})

test('the newest id never goes back', () => {
  fc.assert(
    fc.property(stretch, fc.nat(300), (ids, before) => {
      expect(newestId(written(ids), before)).toBe(Math.max(before, ...ids))
    }),
  )
})

test('stretches are the list, cut where pages began', () => {
  fc.assert(
    fc.property(stretch, stretch, (ids, given) => {
      const list = written(ids)
      const starts = given.toSorted((a, b) => b - a)
      const stretches = stretchesOf(list, starts)
      expect(stretches.flatMap(({ rows }) => rows)).toEqual(list)
      for (const { start, rows } of stretches) {
        const end = starts.find((other) => other < start) ?? 0
        expect(rows.every(({ id }) => id <= start && id > end)).toBe(true)
      }
    }),
  )
})

test('a comment that comes on top moves no other to another stretch', () => {
  const starts = [40, 20]
  const before = stretchesOf(written([10, 20, 30, 40]), starts)
  const after = stretchesOf(written([10, 20, 30, 40, 50]), starts)
  expect(after).toEqual([{ start: Infinity, rows: written([50]) }, ...before])
})
