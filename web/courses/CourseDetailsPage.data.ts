import { isFormerMember } from '#contract/former-member.ts'
import type { Course } from '#contract/courses.schemas.ts'
import { courses } from '#contract/courses.ts'
import type { Lesson } from '#contract/lessons.schemas.ts'
import { lessons } from '#contract/lessons.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { courseMinutes } from '#web/courses/course-minutes.ts'
import { lessonId } from '#web/lessons/open-lesson.ts'
import { textLanguage } from '#web/core/text-language.ts'

export { default as Page, viewOf } from '#web/courses/CourseDetailsPage.tsx'

interface CourseData {
  readonly course: Course
  /** The one that was asked for, else the first. Null only for a course that lost them all. */
  readonly lesson: Lesson | null
}

/**
 * The course, and the lesson of it that the address names; without one, the first.
 * @throws ApiError when there is no such course
 */
export const loader = (async ({ params, api }): Promise<CourseData> => {
  const course = await api(courses.show, { id: lessonId(params['id']) })
  const asked = lessonId(params['lessonId'])
  const { id } = course.lessons.find((one) => one.id === asked) ?? course.lessons[0] ?? {}
  return { course, lesson: id === undefined ? null : await api(lessons.show, { id }) }
}) satisfies Loader<unknown>

/**
 * Title and structured data. Below every lesson the canonical address is that of the course, because its lessons have
 * pages of their own.
 */
export const head: HeadOf<CourseData> = ({ course, lesson }, { t }, origin) => {
  // Search engines are guests: below every lesson's address they find this one offer, and each lesson has its own page.
  const address = to.course(course.id)
  const isOpen = lesson !== null && course.can.see
  return {
    title: isOpen ? `${lesson.title} · ${course.title}` : course.title,
    description: course.description,
    image: course.thumbnail,
    canonical: address,
    jsonLd: {
      '@context': 'https://schema.org',
      '@graph': [
        {
          '@type': 'Course',
          name: course.title,
          description: course.description,
          url: `${origin}${address}`,
          image: `${origin}${course.thumbnail}`,
          inLanguage: textLanguage(course.title),
          ...(!isFormerMember(course.ownerName) && {
            author: { '@type': 'Person', name: course.ownerName },
          }),
          provider: { '@type': 'Organization', name: t('brand'), url: origin },
          datePublished: course.date,
          keywords: course.tags,
          timeRequired: `PT${courseMinutes(course.lessons)}M`,
          hasPart: course.lessons.map(({ id, title }) => ({
            '@type': 'LearningResource',
            name: title,
            url: `${origin}${to.lesson(id)}`,
          })),
        },
        {
          '@type': 'BreadcrumbList',
          itemListElement: [
            {
              '@type': 'ListItem',
              position: 1,
              name: t('courses'),
              item: `${origin}${to.courses()}`,
            },
            { '@type': 'ListItem', position: 2, name: course.title },
          ],
        },
      ],
    },
  }
}
