import { courses, type AlsoUnlockedCourses, type Course } from '#contract/courses.ts'
import { lessons, type Lesson } from '#contract/lessons.ts'
import { ApiError } from '#web/core/api-error.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { courseMinutes } from '#web/courses/course-minutes.ts'
import { itemHead } from '#web/items/details/item-head.ts'
import { lessonId } from '#web/lessons/open-lesson.ts'
import { textLanguage } from '#web/core/text-language.ts'

export { default as Page } from '#web/courses/CourseDetailsPage.tsx'

interface CourseData {
  readonly course: Course
  /** The one that was asked for, else the first. Null where it stays locked, and for a course that lost them all. */
  readonly lesson: Lesson | null
  /** What may be wanted besides; nothing beside a course that is open. */
  readonly also: AlsoUnlockedCourses
}

const NONE: AlsoUnlockedCourses = { because: 'tags', courses: [] }

/**
 * The course, and the lesson of it that the address names; without one, the first. An offer comes with other courses,
 * and without them when they cannot be had.
 * @throws ApiError when there is no such course
 */
export const loader = (async ({ params, api }): Promise<CourseData> => {
  const courseId = lessonId(params['id'])
  const course = await api(courses.show, { id: courseId })
  const asked = lessonId(params['lessonId'])
  const { id } = course.lessons.find((one) => one.id === asked) ?? course.lessons[0] ?? {}
  const opens = id !== undefined && (course.can.see || course.freePreview === id)
  const [lesson, also] = await Promise.all([
    opens ? api(lessons.show, { id }) : null,
    opens || course.can.see ? NONE : orNone(api(courses.also, { id: courseId })),
  ])
  return { course, lesson, also }
}) satisfies Loader<unknown>

/** What stands beside a course never keeps it from being shown. */
async function orNone(also: Promise<AlsoUnlockedCourses>): Promise<AlsoUnlockedCourses> {
  try {
    return await also
  } catch (error) {
    if (error instanceof ApiError) return NONE
    throw error
  }
}

/**
 * Title and structured data. Below every lesson the canonical address is that of the course, because its lessons have
 * pages of their own.
 */
export const head: HeadOf<CourseData> = ({ course, lesson }, { t }, origins) => {
  // Search engines are guests: below every lesson's address they find this one offer, and each lesson has its own page.
  const isOpen = lesson !== null && course.can.see
  const ofCourse = itemHead(
    course,
    {
      type: 'Course',
      address: to.course(course.id),
      list: { name: t('courses'), href: to.courses() },
      minutes: courseMinutes(course.lessons),
      own: {
        inLanguage: textLanguage(course.title),
        provider: { '@type': 'Organization', name: t('brand'), url: origins.site },
        hasPart: course.lessons.map(({ id, title }) => ({
          '@type': 'LearningResource',
          name: title,
          url: `${origins.site}${to.lesson(id)}`,
        })),
      },
    },
    origins,
  )
  return isOpen ? { ...ofCourse, title: `${lesson.title} · ${course.title}` } : ofCourse
}
