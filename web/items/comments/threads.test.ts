import { expect, test } from 'vitest'
import type { Comment } from '#contract/comments.ts'
import { threadsOf } from '#web/items/comments/threads.ts'

const comment = (id: number, replyTo: number | null = null): Comment => ({
  id,
  text: `text ${id}`,
  user: 'u',
  userName: 'ann',
  profilePicture: '/art/a.svg',
  lessonId: 1,
  lessonTitle: 'Knots',
  date: '2026-11-21T10:00:00.000Z',
  mine: false,
  replyTo,
  byAuthor: false,
  edited: null,
  replies: 0,
})
const shapeOf = (known: Parameters<typeof threadsOf>[0]) =>
  threadsOf(known).map(({ id, root, answers }) => [
    id,
    root === undefined ? 'unknown' : root === null ? 'gone' : 'there',
    answers.map((answer) => answer.id),
  ])

test('threads stand newest first, their answers oldest first', () => {
  const list = [comment(5, 1), comment(4), comment(3, 1), comment(2), comment(1)]
  expect(shapeOf({ list, more: false, roots: new Map() })).toEqual([
    [4, 'there', []],
    [2, 'there', []],
    [1, 'there', [3, 5]],
  ])
})

test('what was deleted keeps its answers in its place', () => {
  const list = [comment(9, 7), comment(8), comment(6)]
  expect(shapeOf({ list, more: true, roots: new Map() })).toEqual([
    [8, 'there', []],
    [7, 'gone', [9]],
    [6, 'there', []],
  ])
})

test('what is older than the list is unknown until it was asked for', () => {
  const list = [comment(9, 2), comment(8, 3), comment(7)]
  const roots = new Map([
    [2, comment(2)],
    [3, null],
  ])
  expect(shapeOf({ list, more: true, roots: new Map() })).toEqual([
    [7, 'there', []],
    [3, 'unknown', [8]],
    [2, 'unknown', [9]],
  ])
  expect(shapeOf({ list, more: true, roots })).toEqual([
    [7, 'there', []],
    [3, 'gone', [8]],
    [2, 'there', [9]],
  ])
  expect(shapeOf({ list, more: false, roots: new Map() })[1]).toEqual([3, 'gone', [8]])
})
