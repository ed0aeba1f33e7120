import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import {
  COMMENT,
  COURSE_LESSONS,
  COURSE_PRICE,
  COURSE_REWARD,
  LESSON_PRICE,
  LESSON_REWARD,
} from '#contract/limits.ts'
import { Questions } from '#contract/questions.ts'
import { DEMO_WELCOME } from '#server/demo/fill.ts'
import { answered, comments, lessons, tellDemo } from '#server/demo/timeline.ts'
import { checks } from './checks.ts'
import { courses } from './courses.ts'
import { people } from './people.ts'
import { progress } from './progress.ts'
import type { DemoLesson } from './types.ts'

const pictures = join(import.meta.dirname, '..', 'pictures')
const usernames = people.map((person) => person.username)
const folded = (text: string) => text.normalize('NFKC').toLowerCase()
const length = (text: string) => [...text.normalize('NFC').trim()].length
const textOf = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim()
const videoId = (video: string) =>
  /^https:\/\/www\.youtube\.com\/watch\?v=([\w-]{11})$/.exec(video)?.[1]

const threeGrams = (html: string) => {
  const words = folded(textOf(html)).match(/[\p{L}\p{N}]+/gu) ?? []
  return new Set(words.slice(2).map((word, at) => `${words[at]} ${words[at + 1]} ${word}`))
}

const likeness = (one: Set<string>, other: Set<string>) => {
  const shared = [...one].filter((gram) => other.has(gram)).length
  return shared / (one.size + other.size - shared)
}

describe('the people', () => {
  test('are a dozen, each with a name of one script and an unused address', () => {
    expect(people).toHaveLength(12)
    expect(new Set(usernames.map(folded)).size).toBe(people.length)
    expect(new Set(people.map((person) => person.email)).size).toBe(people.length)
    for (const { username, email, joinedDaysAgo } of people) {
      expect(username).toMatch(
        /^(?=.{2,20}$)(?:[a-z\d](?:[a-z\d._-]*[a-z\d])?|[а-я\d](?:[а-я\d._-]*[а-я\d])?)$/iu,
      )
      expect(email).toMatch(/^[a-z]+@[a-z-]+\.example$/)
      expect(joinedDaysAgo).toBeGreaterThan(0)
    }
  })

  test('never spend points before they have them', () => {
    const purses = new Map<string, number>()
    const move = (username: string, amount: number) =>
      purses.set(username, (purses.get(username) ?? 0) + amount)
    for (const event of tellDemo()) {
      if (event.kind === 'join') move(event.person.username, DEMO_WELCOME)
      else if (event.kind === 'publishLesson') move(event.lesson.owner, LESSON_REWARD)
      else if (event.kind === 'publishCourse') move(event.course.owner, COURSE_REWARD)
      else if (event.kind === 'buyLesson') move(event.by, -LESSON_PRICE)
      else if (event.kind === 'buyCourse') move(event.by, -COURSE_PRICE)
      for (const [username, points] of purses) expect(points, username).toBeGreaterThanOrEqual(0)
    }
  })

  test('publish at most as much per day as is rewarded', () => {
    // Only ten lessons per person and day are rewarded, so the demo must stay below that on any start day.
    for (const username of usernames)
      expect(lessons.filter((lesson) => lesson.owner === username).length).toBeLessThanOrEqual(10)
  })
})

describe('the lessons', () => {
  test('are about fifty, in both languages, each with a unique title and video', () => {
    expect(lessons.filter((lesson) => lesson.language === 'en')).toHaveLength(30)
    expect(lessons.filter((lesson) => lesson.language === 'bg')).toHaveLength(19)
    expect(new Set(lessons.map((lesson) => folded(lesson.title))).size).toBe(49)
    expect(new Set(lessons.map((lesson) => videoId(lesson.video))).size).toBe(49)
  })

  test.each(lessons)('$title keeps the limits', (lesson) => {
    expect(length(lesson.title)).toBeGreaterThanOrEqual(3)
    expect(length(lesson.title)).toBeLessThanOrEqual(20)
    expect(length(lesson.description)).toBeGreaterThanOrEqual(10)
    expect(length(lesson.description)).toBeLessThanOrEqual(60)
    expect(length(textOf(lesson.article))).toBeGreaterThanOrEqual(500)
    expect(length(textOf(lesson.article))).toBeLessThanOrEqual(1000)
    expect(videoId(lesson.video)).toBeDefined()
    expect(lesson.resource ?? 'https://example.org/none').toMatch(/^https:\/\/example\.org\/\S+$/)
    expect(lesson.tags.length).toBeGreaterThanOrEqual(1)
    expect(lesson.tags.length).toBeLessThanOrEqual(5)
    expect(new Set(lesson.tags).size).toBe(lesson.tags.length)
    for (const tag of lesson.tags) {
      expect(tag).toMatch(/^\S{1,30}$/u)
      expect(tag).toBe(tag.toLowerCase())
    }
  })

  test.each(lessons)('$title is written in its own language and in well-formed HTML', (lesson) => {
    const cyrillic = /\p{Script=Cyrillic}/u
    for (const text of [lesson.title, lesson.description, lesson.article]) {
      expect(cyrillic.test(text)).toBe(lesson.language === 'bg')
    }
    const open: string[] = []
    for (const [tag, closing, name = ''] of lesson.article.matchAll(/<(\/?)([^>]*)>/g)) {
      expect(name, tag).toMatch(/^(?:h[1-6]|p|blockquote|ul|ol|li|pre|code|strong|em|u|br)$/)
      if (closing) expect(open.pop(), tag).toBe(name)
      else if (name !== 'br') open.push(name)
    }
    expect(open).toEqual([])
  })

  test.each(lessons)('$title has a consistent owner, buyers and date', (lesson) => {
    const { boughtBy, likedBy = [] } = lesson
    expect(usernames).toEqual(expect.arrayContaining([lesson.owner, ...boughtBy]))
    expect(boughtBy).not.toContain(lesson.owner)
    expect(usernames).toEqual(expect.arrayContaining(likedBy))
    expect(likedBy).not.toContain(lesson.owner)
    expect(new Set(boughtBy).size).toBe(boughtBy.length)
    expect(new Set(likedBy).size).toBe(likedBy.length)
    const owner = people.find((person) => person.username === lesson.owner)
    expect(lesson.publishedDaysAgo).toBeGreaterThan(0)
    expect(lesson.publishedDaysAgo).toBeLessThanOrEqual(owner?.joinedDaysAgo ?? 0)
    expect(lesson.views).toBeGreaterThanOrEqual(boughtBy.length)
    expect(lesson.views).toBeLessThanOrEqual(20_000)
  })

  test('fill every band of views', () => {
    const within = (from: number, to: number) =>
      lessons.filter(({ views }) => views >= from && views <= to).length
    expect(within(0, 0)).toBeGreaterThanOrEqual(3)
    expect(within(1, 99)).toBeGreaterThanOrEqual(4)
    expect(within(100, 999)).toBeGreaterThanOrEqual(8)
    expect(within(1000, 20_000)).toBeGreaterThanOrEqual(8)
  })

  test('have plausible numbers of likes and views', () => {
    for (const { title, views, likedBy = [], boughtBy } of lessons) {
      // Likes must not exceed views, and items with thousands of views need more than two likes.
      expect([title, likedBy.length <= views]).toEqual([title, true])
      expect([title, views / Math.max(1, likedBy.length) < 250]).toEqual([title, true])
      expect(usernames).toEqual(expect.arrayContaining([...likedBy, ...boughtBy]))
    }
    const byViews = lessons.toSorted((one, other) => other.views - one.views)
    const likesOf = (some: readonly DemoLesson[]) =>
      some.reduce((sum, { likedBy = [] }) => sum + likedBy.length, 0)
    const half = Math.floor(byViews.length / 2)
    expect(likesOf(byViews.slice(0, half))).toBeGreaterThan(2 * likesOf(byViews.slice(half)))
  })

  test('are spread over more than a year, without an empty month at the end', () => {
    const months = lessons.map(({ publishedDaysAgo }) => Math.floor(publishedDaysAgo / 30))
    for (let month = 0; month < 12; month += 1) expect(months, `${month}`).toContain(month)
    expect(new Set(lessons.map(({ publishedDaysAgo }) => publishedDaysAgo)).size).toBeGreaterThan(
      lessons.length / 2,
    )
  })

  test('have no two articles that are too similar for a reward', () => {
    const grams = lessons.map((lesson) => threeGrams(lesson.article))
    const alike = grams.flatMap((one, at) =>
      grams.slice(at + 1).map((other) => likeness(one, other)),
    )
    expect(Math.max(...alike)).toBeLessThan(0.2)
  })
})

describe('the courses', () => {
  test('each have lessons in one language, some in each', () => {
    const languages = courses.map((course) => {
      const spoken = lessons.filter(({ title }) => course.lessons.includes(title))
      const all = new Set(spoken.map(({ language }) => language))
      expect([course.title, all.size]).toEqual([course.title, 1])
      return [...all][0]
    })
    expect(new Set(languages)).toEqual(new Set(['en', 'bg']))
  })

  test('are unfinished by some people, and finished by others', () => {
    const shares = courses.flatMap((course) =>
      course.boughtBy.map((by) => {
        const isDone = (title: string) =>
          progress.some((told) => told.by === by && told.lesson === title && told.done === true)
        return course.lessons.filter(isDone).length / course.lessons.length
      }),
    )
    expect(shares).toContain(0.5)
    expect(shares).toContain(1)
  })

  test('are six, by six authors', () => {
    expect(courses).toHaveLength(6)
    expect(new Set(courses.map((course) => folded(course.title))).size).toBe(6)
    expect(new Set(courses.map((course) => course.owner)).size).toBe(6)
  })

  test.each(courses)('$title contains existing lessons that count', (course) => {
    expect(length(course.title)).toBeLessThanOrEqual(20)
    expect(length(course.description)).toBeGreaterThanOrEqual(10)
    expect(length(course.description)).toBeLessThanOrEqual(60)
    expect(course.lessons.length).toBeGreaterThanOrEqual(COURSE_LESSONS.min)
    expect(new Set(course.lessons).size).toBe(course.lessons.length)
    expect(course.lessons).toEqual(
      expect.arrayContaining(course.freePreview === null ? [] : [course.freePreview]),
    )
    for (const title of course.lessons) {
      const lesson = lessons.find((one) => one.title === title)
      expect(lesson?.owner, title).toBe(course.owner)
      expect(lesson?.publishedDaysAgo, title).toBeGreaterThan(course.publishedDaysAgo)
    }
    for (const names of [course.boughtBy, course.likedBy]) {
      expect(usernames).toEqual(expect.arrayContaining(names))
      expect(names).not.toContain(course.owner)
      expect(new Set(names).size).toBe(names.length)
    }
  })
})

describe('the comments', () => {
  test('are at least sixty, in both languages, all different', () => {
    const cyrillic = /\p{Script=Cyrillic}/u
    expect(comments.length).toBeGreaterThanOrEqual(60)
    expect(comments.filter(({ text }) => cyrillic.test(text)).length).toBeGreaterThanOrEqual(20)
    expect(new Set(comments.map(({ text }) => text)).size).toBe(comments.length)
    for (const { text } of comments) {
      expect(length(text)).toBeGreaterThanOrEqual(COMMENT.min)
      expect(length(text), text).toBeLessThanOrEqual(COMMENT.max)
    }
  })

  test('reply to earlier comments, but not to replies', () => {
    const answers = comments.filter((comment) => comment.answers !== undefined)
    expect(answers.length).toBeGreaterThanOrEqual(10)
    const begun = comments.filter((comment) => comment.answers === undefined)
    for (const answer of answers) expect(begun.map(({ text }) => text)).toContain(answered(answer))
  })

  test('come, like progress, from owners and earlier buyers', () => {
    const owned = new Set(lessons.map(({ owner, title }) => `${owner} ${title}`))
    for (const event of tellDemo()) {
      if (event.kind === 'buyLesson') owned.add(`${event.by} ${event.title}`)
      else if (event.kind === 'buyCourse')
        for (const title of courses.find((course) => course.title === event.title)?.lessons ?? [])
          owned.add(`${event.by} ${title}`)
      else if (event.kind === 'comment')
        expect([...owned]).toContain(`${event.comment.by} ${event.comment.lesson}`)
      else if (event.kind === 'progress')
        expect([...owned]).toContain(`${event.progress.by} ${event.progress.lesson}`)
      else if (event.kind === 'attempts')
        expect([...owned]).toContain(`${event.attempts.by} ${event.attempts.lesson}`)
    }
  })
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
    expect(format).toBe('webp')
    const isFace = people.some((person) => person.picture === file)
    expect([width, height]).toEqual(isFace ? [320, 320] : [960, 540])
  })
})
