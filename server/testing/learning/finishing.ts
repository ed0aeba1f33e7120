/** People who have unlocked a course, and who have finished one, for tests of what follows from that. */
import type { CreatedCourse } from '#contract/courses.ts'
import { COURSE_PRICE } from '#contract/limits.ts'
import type { Person, TestApp } from '#server/testing/app.ts'

type App = Pick<TestApp, 'call' | 'give'>

/** Unlocks a course, with points out of nothing. */
export async function unlockCourse(app: App, person: Person, courseId: number): Promise<void> {
  await app.give(person, COURSE_PRICE)
  const { status } = await app.call('POST', `/course/buy/${courseId}`, { as: person })
  if (status !== 200) throw new Error(`buy answered ${status}`)
}

/** Ticks lessons off. */
export async function tickOff(app: App, person: Person, lessons: readonly number[]): Promise<void> {
  for (const id of lessons) {
    const json = { done: true }
    const { status } = await app.call('PUT', `/progress/${id}`, { as: person, json })
    if (status !== 204) throw new Error(`progress answered ${status}`)
  }
}

/** Unlocks a course and ticks all of its lessons off. */
export async function finishCourse(app: App, person: Person, course: CreatedCourse): Promise<void> {
  await unlockCourse(app, person, course.id)
  const ids = course.lessons.map(({ id }) => id)
  await tickOff(app, person, ids)
}
