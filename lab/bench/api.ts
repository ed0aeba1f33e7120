/** JSON of lists, details, profiles and comments, against node:http and bare pg that run the same statements. */
import { CourseQuery, CourseSort } from '#contract/course-lists.schemas.ts'
import { Sort } from '#contract/items.schemas.ts'
import { LessonQuery } from '#contract/lesson-lists.schemas.ts'
import { readAlways } from '#server/db/replica/reads.ts'
import { createTokens } from '#server/accounts/sessions/tokens.ts'
import { listComments } from '#server/comments/list.ts'
import { findCourse } from '#server/courses/details.ts'
import { courseCards } from '#server/courses/list.ts'
import { systemClock } from '#server/kernel/clock.ts'
import type { Db } from '#server/db/connect.ts'
import { BEYOND } from '#server/items/finding.ts'
import { createPageReader } from '#server/items/listing.ts'
import { createDiscussions } from '#server/lessons/discussions.ts'
import { lessonCards } from '#server/lessons/list.ts'
import { listBeside } from '#server/lessons/recommended/beside.ts'
import { findDiscussedLesson } from '#server/lessons/store.ts'
import { showProfile } from '#server/profiles/show.ts'
import type { BenchDatabase } from './database.ts'
import { authorId, type Buyer } from './fill.ts'
import { latencySection, measureLatency } from './latency.ts'
import { SECRET, startReference, type Served } from './product.ts'
import { compare, medianOf, type Settings, type Side } from './rounds.ts'
import { createRecorder, type Recorder, type Statement } from './statements.ts'
import { COMPARISON_COLUMNS, comparisonRow, wrongNotes, type Section } from './table.ts'

const STEP = { step: 0.5, goal: 0.6 }
const PAGES = 50
/** Ids that are asked for; the reader has so many lessons. */
export const READ = 500

interface Subject {
  readonly product: Served
  readonly database: BenchDatabase
  readonly lessons: number
  readonly courses: number
  /** Bought the first lessons. */
  readonly reader: Buyer
}

interface Case {
  readonly path: string
  readonly statements: Statement[]
}

interface Work {
  readonly what: string
  /** Stands in every answer. */
  readonly field: string
  readonly isReaders?: true
  readonly cases: readonly { path: string; run: (db: Db) => Promise<unknown> }[]
}

/** Measures calls of the API against a bare server that runs the same statements. */
export async function benchApi(subject: Subject, settings: Settings): Promise<Section[]> {
  const { product, database, reader } = subject
  const tokens = createTokens({ secrets: [SECRET], accessMinutes: 600, clock: systemClock })
  const bearer = `Bearer ${await tokens.signAccess(reader.userId, reader.sessionId)}`
  const recorder = createRecorder(database.connection)
  const results: Awaited<ReturnType<typeof benchCases>>[] = []
  for (const work of worksOf(subject)) {
    const cases = await recordCases(recorder, work)
    const headers = {
      accept: 'application/json',
      ...(work.isReaders && { authorization: bearer }),
    }
    results.push(
      await benchCases(settings, product, database, {
        ...work,
        what: `JSON of ${work.what}`,
        cases,
        headers,
      }),
    )
  }
  await recorder.close()
  return [
    {
      title: 'JSON, against node:http + pg with the same prepared statements + JSON.stringify',
      columns: COMPARISON_COLUMNS,
      rows: results.map((result) => result.row),
      notes: [
        'The statement that finds who asks is not in the reference: what a signed-in person gets costs one more.',
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

/** No comments are in memory, so that the reference reads them as the product does at first. */
const unread = () =>
  createDiscussions({
    clock: systemClock,
    changes: { publish: () => undefined, receive: () => undefined, subscribe: () => undefined },
  })
const readLessons = createPageReader(lessonCards)
const readCourses = createPageReader(courseCards)

/** What is measured, each with its statement. It is long because it is the list of all that is measured. */
function worksOf({ lessons, courses, reader }: Subject): Work[] {
  const viewer = {
    id: reader.userId,
    username: 'reader1',
    role: 'user',
    suspended: false,
    sessionId: reader.sessionId,
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
        // The product knows from its cached numbers that there are more lessons than it counts.
        run: (db) =>
          readLessons(db, LessonQuery.parse({ sort, page }), null, {
            page: Number(page),
            found: lessons > 20_000 ? BEYOND : undefined,
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
            found: courses > 20_000 ? BEYOND : undefined,
          }),
      })),
    },
    {
      what: 'a lesson',
      field: '"title"',
      cases: numbers.map((id) => ({
        path: `/api/lesson/${id}`,
        run: (db) =>
          findDiscussedLesson(db, id, null, { ...unread().begin(id).known, knowsCourses: true }),
      })),
    },
    {
      what: 'an open lesson with 50 comments',
      field: '"article"',
      isReaders: true,
      cases: numbers.map((id) => ({
        path: `/api/lesson/${id}`,
        run: (db) =>
          findDiscussedLesson(db, id, viewer, { ...unread().begin(id).known, knowsCourses: true }),
      })),
    },
    {
      what: 'a course',
      field: '"title"',
      cases: numbers.map((id) => ({
        path: `/api/course/${id}`,
        run: (db) => findCourse(db, id, null),
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
      what: 'lessons beside a lesson',
      field: '"title"',
      isReaders: true,
      cases: numbers.map((id) => ({
        path: `/api/lesson/recommended?lesson=${id}`,
        run: (db) =>
          listBeside(db, { viewerId: viewer.id, language: 'en', besideId: id, known: null }),
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

async function recordCases(recorder: Recorder, { cases }: Work): Promise<Case[]> {
  const recorded: Case[] = []
  for (const { path, run } of cases) recorded.push({ path, statements: await recorder.record(run) })
  return recorded
}

async function benchCases(
  settings: Settings,
  product: Served,
  database: BenchDatabase,
  {
    what,
    field,
    cases,
    headers,
  }: Omit<Work, 'cases'> & {
    cases: readonly Case[]
    headers: Readonly<Record<string, string>>
  },
) {
  const reference = await startReference({
    kind: 'statements',
    connection: database.connection,
    cases: cases.map((entry) => entry.statements),
  })
  try {
    const load: Side['load'] = {
      port: product.port,
      method: 'GET',
      paths: cases.map((entry) => entry.path),
      authorizations: [],
      headers,
      expect: { status: 200, bytes: 300, exact: false, field },
    }
    const found = await compare(
      settings,
      { pid: product.pid, load },
      {
        pid: reference.pid,
        load: {
          ...load,
          port: reference.port,
          paths: cases.map((_, place) => `/${place}`),
          // Its rows have the names of the columns.
          expect: { ...load.expect, field: '' },
        },
      },
    )
    const latency = await measureLatency(
      what,
      product,
      load,
      medianOf(found.ours, 'perSecond'),
      settings,
    )
    return {
      row: comparisonRow(what, found, STEP),
      latency,
      notes: wrongNotes(what, found),
      raw: { what, ...found },
    }
  } finally {
    await reference.stop()
  }
}
