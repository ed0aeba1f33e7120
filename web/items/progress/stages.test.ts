import { describe, expect, test } from 'vitest'
import type { Mark } from '#web/items/progress/marks.ts'
import { courseStage, lessonStage } from '#web/items/progress/stages.ts'

const mark = (done: boolean, time: number): Mark => ({ done, time, place: undefined })

describe('stages', () => {
  test('a lesson is unread without a mark, and begun or done with one', () => {
    expect([undefined, mark(false, 1), mark(true, 1)].map(lessonStage)).toEqual([
      'unread',
      'begun',
      'done',
    ])
  })

  test.each<[string, Record<number, Mark>, ReturnType<typeof courseStage>]>([
    ['nothing opened', {}, { stage: 'unread', done: 0, next: 1 }],
    ['the second opened', { 2: mark(false, 1) }, { stage: 'begun', done: 0, next: 2 }],
    ['the first done', { 1: mark(true, 1) }, { stage: 'begun', done: 1, next: 2 }],
    [
      'the last one done, after the first was opened',
      { 1: mark(false, 1), 3: mark(true, 2) },
      { stage: 'begun', done: 1, next: 1 },
    ],
    [
      'two opened, the third most recently',
      { 1: mark(false, 1), 3: mark(false, 2) },
      { stage: 'begun', done: 0, next: 3 },
    ],
    [
      'all done',
      { 1: mark(true, 1), 2: mark(true, 3), 3: mark(true, 2) },
      { stage: 'done', done: 3, next: 1 },
    ],
  ])('of a course with %s', (_title, marks, stage) => {
    expect(courseStage([1, 2, 3], (lesson) => marks[lesson])).toEqual(stage)
  })
})
