import { courses, type AlsoUnlockedCourses, type Course } from '#contract/courses.ts'
import { lessons, type Lesson } from '#contract/lessons.ts'
import { ApiError } from '#web/core/api-error.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { courseMinutes } from '#web/items/courses/course-minutes.ts'
import { itemHead } from '#web/items/shared/details/item-head.ts'
import { lessonId } from '#web/items/lessons/open-lesson.ts'
import { textLanguage } from '#web/core/text-language.ts'

export { default as Page } from '#web/items/courses/CourseDetailsPage.tsx'

interface CourseData {
  readonly course: Course
  /** The lesson of the address, or else the first. Null while it is locked, and in a course without lessons. */
  readonly lesson: Lesson | null
  /** Courses for people who haven't unlocked this one; empty when it is open. */
  readonly also: AlsoUnlockedCourses
}

const NONE: AlsoUnlockedCourses = { because: 'tags', courses: [] }

/**
 * Loads the course and the lesson that the address names, or its first lesson. A locked course comes with other
 * courses, unless they fail to load.
 * @throws ApiError when the course doesn't exist
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

/** A course is shown even if the other courses fail to load. */
async function orNone(also: Promise<AlsoUnlockedCourses>): Promise<AlsoUnlockedCourses> {
  try {
    return await also
  } catch (error) {
    if (error instanceof ApiError) return NONE
    throw error
  }
}

/** The canonical address is always the course's, because its lessons have pages of their own. */
export const head: HeadOf<CourseData> = ({ course, lesson }, { t }, origins) => {
  // Search engines are guests, who see the same offer at the address of every lesson.
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
