/** The demo content keeps the limits of forms, which filling it in doesn't check (fill.test.ts). */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { comments as calls } from '#contract/comments.ts'
import { CourseEdit } from '#contract/course-forms.ts'
import { LessonEdit } from '#contract/lesson-forms.ts'
import { lengthOf } from '#contract/measure.ts'
import { Questions } from '#contract/questions.ts'
import { comments, lessons } from '#server/demo/timeline.ts'
import { articleText, cleanArticle } from '#server/items/lessons/article.ts'
import { checks } from './checks.ts'
import { courses } from './courses.ts'
import { people } from './people.ts'

const pictures = join(import.meta.dirname, '..', 'pictures')
const CYRILLIC = /\p{Script=Cyrillic}/u

test('people have names of one script and unused addresses', () => {
  expect(new Set(people.map(({ email }) => email)).size).toBe(people.length)
  for (const { username, email } of people) {
    expect(username).toMatch(
      /^(?:[a-z\d][a-z\d._-]{0,18}[a-z\d]|[а-я\d][а-я\d._-]{0,18}[а-я\d])$/iu,
    )
    expect(email).toMatch(/^[a-z]+@[a-z-]+\.example$/)
  }
})

describe('the lessons', () => {
  test('have different titles and videos, in both languages', () => {
    expect(new Set(lessons.map(({ title }) => title.toLowerCase())).size).toBe(lessons.length)
    expect(new Set(lessons.map(({ video }) => video)).size).toBe(lessons.length)
    expect(new Set(lessons.map(({ language }) => language))).toEqual(new Set(['en', 'bg']))
  })

  test.each(lessons)('$title keeps the limits', (lesson) => {
    const { title, description, video, tags, article } = lesson
    const resource = lesson.resource ?? ''
    const form = { id: 1, title, description, video, tags, article, resources: resource }
    expect(LessonEdit.safeParse(form)).toMatchObject({ success: true, data: { title, tags } })
    // Longer than the form demands, so that it looks like something.
    expect(lengthOf(articleText(article))).toBeGreaterThanOrEqual(500)
    expect(lengthOf(articleText(article))).toBeLessThanOrEqual(1000)
    expect(resource).toMatch(/^(?:https:\/\/example\.org\/\S+)?$/)
  })

  test.each(lessons)('$title is written in its own language and in clean HTML', (lesson) => {
    for (const text of [lesson.title, lesson.description, lesson.article])
      expect(CYRILLIC.test(text)).toBe(lesson.language === 'bg')
    expect(cleanArticle(lesson.article)).toBe(lesson.article.replaceAll('<br>', '<br />'))
  })
})

test.each(courses)('the course $title keeps the limits, in one language', (course) => {
  const { title, description } = course
  const { success } = CourseEdit.safeParse({ id: 1, title, description })
  expect(success).toBe(true)
  const spoken = lessons.filter((lesson) => course.lessons.includes(lesson.title))
  expect(spoken).toHaveLength(course.lessons.length)
  expect(new Set(spoken.map(({ language }) => language)).size).toBe(1)
  expect(course.lessons).toEqual(expect.arrayContaining([course.freePreview ?? course.lessons[0]]))
})

test('comments differ and keep the limits', () => {
  expect(new Set(comments.map(({ text }) => text)).size).toBe(comments.length)
  for (const { text } of comments)
    expect(calls.edit.input.safeParse({ id: 1, text })).toMatchObject({ success: true })
})

test('self-checks keep the rules of their forms', () => {
  for (const { lesson, questions } of checks) {
    expect(lessons.map(({ title }) => title)).toContain(lesson)
    expect(Questions.safeParse(questions)).toMatchObject({ success: true, data: questions })
  }
})

describe('the pictures', () => {
  const used = [...people, ...lessons, ...courses].flatMap(({ picture }) => picture ?? [])
  const files = readdirSync(pictures)

  test('all exist, are all used, and are small', () => {
    expect(new Set(files)).toEqual(new Set(used))
    const sizes = files.map((file) => statSync(join(pictures, file)).size)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(60 * 1024)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(1024 * 1024)
  })

  test.each(files)('%s is WebP with the right aspect ratio', async (file) => {
    const { format, width, height } = await sharp(join(pictures, file)).metadata()
    const isFace = people.some((person) => person.picture === file)
    expect([format, width, height]).toEqual(['webp', ...(isFace ? [320, 320] : [960, 540])])
  })
})
