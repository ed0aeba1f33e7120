/** Lists what a person liked. Liking is a call of the lesson or course. */
import * as z from 'zod/mini'
import { CourseCard } from '#contract/courses.ts'
import { endpoints } from '#contract/endpoint.ts'
import { Nothing } from '#contract/fields.ts'
import { LessonCard } from '#contract/lessons.ts'

export const Liked = z.object({ lessons: z.array(LessonCard), courses: z.array(CourseCard) })
export type Liked = z.infer<typeof Liked>

export const likes = endpoints({
  liked: {
    methods: ['GET'],
    path: '/liked',
    access: 'user',
    scope: 'read',
    input: Nothing,
    answer: Liked,
    summary: 'Lessons and courses the caller liked, newest like first, up to 200 of each',
  },
})
