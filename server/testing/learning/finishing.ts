import type { CreatedCourse } from '#contract/courses.ts'
import { COURSE_PRICE } from '#contract/limits.ts'
import type { Person, TestApp } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'

type App = Pick<TestApp, 'call' | 'give'>

/** Creates the points that the course costs. */
export async function unlockCourse(app: App, person: Person, courseId: number): Promise<void> {
  await app.give(person, COURSE_PRICE)
  await done(app, person, `POST /course/buy/${courseId}`)
}

export async function tickOff(app: App, person: Person, lessons: readonly number[]): Promise<void> {
  for (const id of lessons) await done(app, person, `PUT /progress/${id}`, { done: true })
}

export async function finishCourse(app: App, person: Person, course: CreatedCourse): Promise<void> {
  await unlockCourse(app, person, course.id)
  const ids = course.lessons.map(({ id }) => id)
  await tickOff(app, person, ids)
}
