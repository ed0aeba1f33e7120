/** Runs the calls of a page's loader in this process: the same routes, limited to the contract, without HTTP. */
import * as z from 'zod/mini'
import { courses } from '#contract/courses.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { lessons } from '#contract/lessons.ts'
import type { CallContext, Route } from '#server/kernel/call.ts'
import { courseRef, lessonRef } from '#server/platform/events/catalogue.ts'
import { toProblem, toRefusal } from '#server/kernel/http/http-errors.ts'
import type { Log } from '#server/kernel/log.ts'
import { tagOf } from '#server/pages/cache/cache.ts'
import type { RenderRequest } from '#contract/render.ts'

/** Collects what the rendered page depends on, and which lessons it views. */
export interface Seen {
  readonly tags: Set<string>
  readonly viewed: Set<number>
}

export const createSeen = (): Seen => ({ tags: new Set(), viewed: new Set() })

const nameOf = (endpoint: Endpoint) => `${endpoint.methods[0]} ${endpoint.path}`

const Shown = z.object({ id: z.number() })
const ShownLesson = z.object({ id: z.number(), courses: z.array(Shown) })
const ShownCourse = z.object({ id: z.number(), lessons: z.array(Shown) })
const LESSON = nameOf(lessons.show)
const COURSE = nameOf(courses.show)

/**
 * A page may show another item than its URL names (a course opens its first lesson if the lesson is unknown), so
 * this uses the actual results. A course shows the titles of all of its lessons, and a lesson names its courses.
 */
function note(seen: Seen, name: string, answer: unknown, quiet: boolean): void {
  if (name === LESSON) {
    const { id, courses: holding } = ShownLesson.parse(answer)
    seen.tags.add(tagOf(lessonRef(id)))
    for (const course of holding) seen.tags.add(tagOf(courseRef(course.id)))
    if (!quiet) seen.viewed.add(id)
  }
  if (name === COURSE) {
    const course = ShownCourse.parse(answer)
    seen.tags.add(tagOf(courseRef(course.id)))
    for (const { id } of course.lessons) seen.tags.add(tagOf(lessonRef(id)))
  }
}

export type CallOf = (context: CallContext, seen: Seen) => RenderRequest<AbortSignal>['call']

/** The built web has its own copies of the endpoints, so they are found by name. */
export function createPageCall(routes: readonly Route[], log: Log): CallOf {
  const byName = new Map(routes.map((entry) => [nameOf(entry.endpoint), entry]))
  return (context, seen) => async (endpoint, input, quiet) => {
    const name = nameOf(endpoint)
    const entry = byName.get(name)
    if (entry === undefined) throw new Error(`no route for ${name}`)
    try {
      const answer = await entry.run(
        {
          ...context,
          method: entry.endpoint.methods[0],
          countsView: context.countsView && !quiet,
        },
        input,
      )
      note(seen, name, answer, quiet)
      // Does what the serializer does for HTTP: removes everything that the contract doesn't name.
      return {
        ok: true,
        answer: entry.endpoint.answer === null ? null : entry.endpoint.answer.parse(answer),
      }
    } catch (error) {
      const refusal = toRefusal(error)
      if (refusal === null) log.error({ err: error, call: name }, 'fault')
      const { title, status, errors = {} } = toProblem(refusal, context.locale)
      const fields = Object.fromEntries(
        Object.entries(errors).map(([field, said]) => [field, said[0] ?? '']),
      )
      return {
        ok: false,
        status,
        message: title,
        fields,
        ...(refusal !== null && { key: refusal.key }),
      }
    }
  }
}
