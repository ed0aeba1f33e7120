/** What a person liked. Liking itself is a call of the lesson or course. */
import * as z from 'zod/mini'
import { CourseCard } from '#contract/courses.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Nothing } from '#contract/fields.ts'
import { LessonCard } from '#contract/lessons.ts'

export const Liked = z.object({ lessons: z.array(LessonCard), courses: z.array(CourseCard) })
export type Liked = z.infer<typeof Liked>

export const likes = {
  liked: endpoint({
    methods: ['GET'],
    path: '/liked',
    access: 'user',
    input: Nothing,
    answer: Liked,
    summary: 'Lessons and courses the caller liked, newest like first, up to 200 of each',
  }),
}
