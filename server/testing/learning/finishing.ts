import type { CreatedCourse } from '#contract/courses.ts'
import { COURSE_PRICE } from '#contract/limits.ts'
import type { Person, TestApp } from '#server/testing/app.ts'

type App = Pick<TestApp, 'call' | 'give'>

/** Creates the points that the course costs. */
export async function unlockCourse(app: App, person: Person, courseId: number): Promise<void> {
  await app.give(person, COURSE_PRICE)
  const { status } = await app.call('POST', `/course/buy/${courseId}`, { as: person })
  if (status !== 200) throw new Error(`buy answered ${status}`)
}

export async function tickOff(app: App, person: Person, lessons: readonly number[]): Promise<void> {
  for (const id of lessons) {
    const json = { done: true }
    const { status } = await app.call('PUT', `/progress/${id}`, { as: person, json })
    if (status !== 204) throw new Error(`progress answered ${status}`)
  }
}

export async function finishCourse(app: App, person: Person, course: CreatedCourse): Promise<void> {
  await unlockCourse(app, person, course.id)
  const ids = course.lessons.map(({ id }) => id)
  await tickOff(app, person, ids)
}
