/**
 * Compares JSON of lists, details, profiles and comments with node:http and plain pg running the same statements.
 */
import { CourseQuery, CourseSort } from '#contract/courses.ts'
import { Sort } from '#contract/items.ts'
import { LessonQuery } from '#contract/lessons.ts'
import { SECRET } from '#lab/product.ts'
import { readAlways } from '#server/platform/core/reads.ts'
import { createTokens } from '#server/people/accounts/sessions/tokens.ts'
import { listComments } from '#server/items/comments/list.ts'
import { findCourse } from '#server/items/courses/details.ts'
import { courseCards } from '#server/items/courses/list.ts'
import { systemClock } from '#server/kernel/clock.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { BEYOND } from '#server/items/shared/finding.ts'
import { createPageReader } from '#server/items/shared/listing.ts'
import { createDiscussions } from '#server/items/lessons/discussions.ts'
import { lessonCards } from '#server/items/lessons/list.ts'
import { listSuggestions } from '#server/items/lessons/recommended/beside.ts'
import { findDiscussedLesson } from '#server/items/lessons/store.ts'
import { showProfile } from '#server/community/profiles/show.ts'
import { latencySection, measureLatency } from './latency.ts'
import { authorId, READ, type Market } from './market.ts'
import { compareWithReference } from './reference-job.ts'
import { medianOf, type Served, type Settings, type Side } from './rounds.ts'
import { createRecorder, type Statement } from './statements.ts'
import { COMPARISON_COLUMNS, comparisonRow, wrongNotes, type Section } from './table.ts'

const PAGES = 50

type Headers = Readonly<Record<string, string>>

interface Case {
  readonly path: string
  readonly statements: Statement[]
}

interface Work {
  readonly what: string
  /** Text that every answer contains. */
  readonly field: string
  readonly isReaders?: true
  readonly cases: readonly { path: string; run: (db: Db) => Promise<unknown> }[]
}

export async function benchApi(
  product: Served,
  market: Market,
  settings: Settings,
): Promise<Section[]> {
  const { connection, reader } = market
  const tokens = createTokens({ secrets: [SECRET], accessMinutes: 600, clock: systemClock })
  const authorization = `Bearer ${await tokens.signAccess(reader, reader)}`
  const recorder = createRecorder(connection)
  const results: Awaited<ReturnType<typeof benchCases>>[] = []
  for (const work of worksOf(market)) {
    const cases: Case[] = []
    for (const { path, run } of work.cases)
      cases.push({ path, statements: await recorder.record(run) })
    const headers = { accept: 'application/json', ...(work.isReaders && { authorization }) }
    results.push(await benchCases(settings, product, connection, { ...work, cases, headers }))
  }
  await recorder.close()
  return [
    {
      title: 'JSON, against node:http + pg with the same prepared statements + JSON.stringify',
      columns: COMPARISON_COLUMNS,
      rows: results.map((result) => result.row),
      notes: [
        'The reference has no statement that finds the person of a session: a signed-in request needs one more.',
        ...results.flatMap((result) => result.notes),
      ],
      raw: results.map((result) => result.raw),
    },
    latencySection(
      'Latency of JSON at a fixed rate below half of the most',
      results.map((result) => result.latency),
    ),
  ]
}

/** Disables the comment cache, so that the reference reads comments as the product does at first. */
const unread = () =>
  createDiscussions({
    clock: systemClock,
    events: { publish: () => undefined, receive: () => undefined, subscribe: () => undefined },
  })
const readLessons = createPageReader(lessonCards)
const readCourses = createPageReader(courseCards)

/** All measured calls, each with the function whose statements the reference runs. */
function worksOf({ lessons, courses, reader }: Market): Work[] {
  const viewer = {
    id: reader,
    username: 'reader',
    role: 'user',
    suspended: false,
    sessionId: reader,
    wroteLately: false,
  } as const
  const numbers = Array.from({ length: READ }, (_, place) => place + 1)
  const pages = (sorts: readonly string[]) =>
    sorts.flatMap((sort) =>
      Array.from({ length: PAGES }, (_, place) => ({ sort, page: String(place + 1) })),
    )
  return [
    {
      what: 'a list page',
      field: '"title"',
      cases: pages(Sort.options).map(({ sort, page }) => ({
        path: `/api/lesson/browse?sort=${sort}&page=${page}`,
        // The product caches the total.
        run: (db) =>
          readLessons(db, LessonQuery.parse({ sort, page }), null, {
            page: Number(page),
            found: Math.min(lessons, BEYOND),
          }),
      })),
    },
    {
      what: 'a list page of courses',
      field: '"title"',
      cases: pages(CourseSort.options).map(({ sort, page }) => ({
        path: `/api/course/browse?sort=${sort}&page=${page}`,
        run: (db) =>
          readCourses(db, CourseQuery.parse({ sort, page }), null, {
            page: Number(page),
            found: Math.min(courses, BEYOND),
          }),
      })),
    },
    {
      what: 'a lesson',
      field: '"title"',
      cases: numbers.map((id) => ({
        path: `/api/lesson/${id}`,
        run: (db) =>
          findDiscussedLesson(db, id, null, {
            ...unread().begin(id).known,
            knowsCourses: true,
            allowsTrust: false,
            now: new Date(),
          }),
      })),
    },
    {
      what: 'an open lesson with 50 comments',
      field: '"article"',
      isReaders: true,
      cases: numbers.map((id) => ({
        path: `/api/lesson/${id}`,
        run: (db) =>
          findDiscussedLesson(db, id, viewer, {
            ...unread().begin(id).known,
            knowsCourses: true,
            allowsTrust: false,
            now: new Date(),
          }),
      })),
    },
    {
      what: 'a course',
      field: '"title"',
      cases: numbers.map((id) => ({
        path: `/api/course/${id}`,
        run: (db) => findCourse(db, id, null, new Date()),
      })),
    },
    {
      what: '50 comments',
      field: '"userName"',
      isReaders: true,
      cases: numbers.map((id) => ({
        path: `/api/comment/lesson/${id}`,
        run: (db) => listComments({ db, discussions: unread() }, viewer, id, {}),
      })),
    },
    {
      what: 'suggestions next to a lesson',
      field: '"title"',
      isReaders: true,
      cases: numbers.map((id) => ({
        path: `/api/lesson/recommended?lesson=${id}`,
        run: (db) =>
          listSuggestions(db, { viewerId: viewer.id, language: 'en', lessonId: id, known: null }),
      })),
    },
    {
      what: 'a profile',
      field: '"ownLessons"',
      isReaders: true,
      cases: numbers.map((n) => {
        const id = authorId(n)
        return {
          path: `/api/identity/profile/${id}`,
          run: (db) =>
            showProfile({ db, reads: readAlways(db) }, { viewer, id, pages: {}, now: new Date() }),
        }
      }),
    },
  ]
}

async function benchCases(
  settings: Settings,
  product: Served,
  connection: Market['connection'],
  {
    what,
    field,
    cases,
    headers,
  }: Omit<Work, 'cases'> & { cases: readonly Case[]; headers: Headers },
) {
  const load: Side['load'] = {
    port: product.port,
    paths: cases.map((entry) => entry.path),
    headers,
    expect: { status: 200, bytes: 300, field },
  }
  const found = await compareWithReference(
    settings,
    product,
    load,
    { kind: 'statements', connection, cases: cases.map((entry) => entry.statements) },
    // Rows of the reference use column names.
    { paths: cases.map((_, place) => `/${place}`), expect: { ...load.expect, field: '' } },
  )
  return {
    row: comparisonRow(what, found, 0.6),
    latency: await measureLatency(what, load, medianOf(found.ours, 'perSecond'), settings),
    notes: wrongNotes(what, found),
    raw: { what, ...found },
  }
}
