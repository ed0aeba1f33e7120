/** Reports may arrive late, twice and in any order, and the result must be the same. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LessonProgress } from '#contract/progress.ts'
import { done } from '#server/testing/http/answers.ts'
import { openTestApp } from '#server/testing/setup.ts'

let ids: number[] = []
const app = await openTestApp({ DAILY_REWARD_LIMIT: '1000' })
const ann = await app.signUp('ann')
ids = [(await app.publishLesson(ann)).id, (await app.publishLesson(ann)).id]
app.clock.time = new Date()

const LENGTH = 1000
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
/** Few values, so that times and places collide. */
const report = fc
  .record({
    seconds: optional(fc.integer({ min: 0, max: LENGTH + 50 })),
    furthest: optional(fc.integer({ min: 0, max: LENGTH + 50 })),
    opened: optional(fc.boolean()),
    done: optional(fc.boolean()),
    ago: fc.integer({ min: 0, max: 6 }),
  })
  .filter(({ seconds, furthest, opened, done }) =>
    [seconds, furthest, opened, done].some((told) => told !== undefined),
  )
type Report = Parameters<Parameters<(typeof report)['map']>[0]>[0]

async function after(reports: readonly Report[], lesson: number) {
  await app.app.database.db.deleteFrom('lesson_progress').execute()
  for (const said of reports) {
    const json = { length: LENGTH, ...said }
    const { status } = await app.call('PUT', `/progress/${lesson}`, { as: ann, json })
    expect(status).toBe(204)
  }
  const body = await done<LessonProgress[]>(app, ann, `GET /progress?lesson=${lesson}`)
  return body[0]
}

test('reports have the same result in any order, even if sent twice', async () => {
  const histories = fc
    .array(report, { minLength: 1, maxLength: 7 })
    .chain((reports) =>
      fc.tuple(
        fc.constant(reports),
        fc.shuffledSubarray([...reports, ...reports], { minLength: reports.length * 2 }),
      ),
    )
  await fc.assert(
    fc.asyncProperty(histories, async ([reports, shuffled]) => {
      const [lesson = 0] = ids
      const one = await after(reports, lesson)
      expect(await after(shuffled, lesson)).toEqual(one)
      const within = (place = 0) => Math.min(place, LENGTH)
      const places = reports.flatMap(({ seconds, ago }) =>
        seconds === undefined ? [] : [{ seconds: within(seconds), ago }],
      )
      const [newest] = places.toSorted((a, b) => a.ago - b.ago || b.seconds - a.seconds)
      const furthest = Math.max(
        ...reports.map((said) => Math.max(within(said.seconds), within(said.furthest))),
      )
      const marks = reports.filter(({ done }) => done !== undefined)
      const latest = Math.min(...marks.map(({ ago }) => ago))
      const byHand = marks.filter(({ ago }) => ago === latest).some(({ done }) => done)
      expect(one).toMatchObject({
        seconds: newest?.seconds ?? 0,
        furthest,
        opened: reports.some(({ opened }) => opened),
        done: marks.length === 0 ? furthest >= LENGTH * 0.95 : byHand,
      })
    }),
    { numRuns: 60 },
  )
})
