/** Compares the declared numbers with the real database. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { CourseCard } from '#contract/courses.ts'
import type { LessonCard } from '#contract/lessons.ts'
import { numbersOf, sortsOf } from '#contract/numbers.ts'
import { storedNumbers } from '#server/items/shared/number-sources.ts'
import { recountNumbers } from '#server/items/shared/recount.ts'
import { TABLES } from '#server/items/shared/tables.ts'
import { done } from '#server/testing/http/answers.ts'
import { signUpAll } from '#server/testing/people.ts'
import { openTestApp } from '#server/testing/setup.ts'

const KINDS = ['lesson', 'course'] as const

const app = await openTestApp()
const { ann, bob } = await signUpAll(app, 'ann', 'bob')
const course = await app.publishCourse(ann)
const courseId = course.id
const lessonId = course.lessons[0]?.id ?? 0
await app.give(bob, 1000)
await done(app, bob, `POST /course/buy/${courseId}`)
await done(app, bob, `POST /course/like/${courseId}`)
await done(app, bob, `POST /lesson/like/${lessonId}`)
for (const text of ['The first of two', 'The second of two'])
  await done(app, bob, `POST /comment/create/${lessonId}`, { text })

const cards = async () => {
  const [lessons, courses] = [
    await done<LessonCard[]>(app, undefined, 'GET /lesson/all'),
    await done<CourseCard[]>(app, undefined, 'GET /course/all'),
  ]
  return { lesson: lessons.find(({ id }) => id === lessonId), course: courses[0] }
}

test('each number is a column that cannot fall below zero', async () => {
  for (const kind of KINDS) {
    const { rows } = await sql<{ column: string }>`
      select attribute.attname as column from pg_attribute attribute
      join pg_constraint rule on rule.conrelid = attribute.attrelid and rule.contype = 'c'
        and rule.conkey = array[attribute.attnum]
      where attribute.attrelid = ${TABLES[kind].narrow}::regclass and attribute.attnotnull
        and pg_get_constraintdef(rule.oid) ~ '>= [(]?0'`.execute(app.app.database.db)
    const guarded = rows.map(({ column }) => column)
    const columns = storedNumbers(kind).map(({ column }) => column)
    expect(columns.filter((column) => !guarded.includes(column))).toEqual([])
  }
})

test('lists walk along an index of each number that they are sorted by', async () => {
  for (const kind of KINDS) {
    const { rows } = await sql<{ name: string; definition: string }>`
      select indexname as name, indexdef as definition from pg_indexes
      where tablename = ${TABLES[kind].narrow}`.execute(app.app.database.db)
    const indexes = new Map(rows.map(({ name, definition }) => [name, definition]))
    const sorted = storedNumbers(kind).filter(({ name }) =>
      sortsOf(kind).some((sort) => sort === name),
    )
    expect(sorted.length).toBeGreaterThan(0)
    for (const { column, index } of sorted) {
      expect(indexes.get(index), index).toContain(`(${column} DESC, id DESC)`)
      expect(indexes.get(index), index).toContain('WHERE (deleted_at IS NULL)')
    }
  }
})

test('cards have every number of their kind', async () => {
  const { lesson, course } = await cards()
  expect(numbersOf('lesson').map((name) => lesson?.[name])).toEqual([1, 0, 2, null, 0])
  expect(numbersOf('course').map((name) => course?.[name])).toEqual([1, 2, null, 0])
})

test('recounting leaves correct numbers unchanged', async () => {
  for (const kind of KINDS) expect(await recountNumbers(app.app.database.db, kind)).toBe(0)
})

test('recounting corrects wrong numbers', async () => {
  const { db } = app.app.database
  const before = await cards()
  await db.updateTable('lessons').set({ likes: 7, comments: 9, views: 5 }).execute()
  await db.updateTable('courses').set({ likes: 3, comments: 4 }).execute()
  expect(await recountNumbers(db, 'lesson')).toBe(6)
  expect(await recountNumbers(db, 'course')).toBe(1)
  const { lesson, course } = await cards()
  // Viewers are stored only briefly, so views can't be counted again.
  expect(lesson).toEqual({ ...before.lesson, views: 5 })
  expect(course).toEqual(before.course)
})
