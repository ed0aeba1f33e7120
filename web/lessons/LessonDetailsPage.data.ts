import { type LessonCard, lessons } from '#contract/lessons.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { isOpen, lessonId } from '#web/lessons/open-lesson.ts'

export const loader = (async ({ params, api }) => {
  const lesson = await api(lessons.show, { id: lessonId(params['id']) })
  // Beside what is open; the locked page is the one that many guests ask for, and stays lean.
  const others: LessonCard[] = isOpen(lesson) ? await api(lessons.popular, {}) : []
  return { lesson, others: others.filter(({ id }) => id !== lesson.id).slice(0, 6) }
}) satisfies Loader<unknown>

export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = ({ lesson }, { t }, origin) => {
  const address = to.lesson(lesson.id)
  return {
    title: lesson.title,
    description: lesson.description,
    image: lesson.thumbnail,
    canonical: address,
    jsonLd: {
      '@context': 'https://schema.org',
      '@graph': [
        {
          '@type': 'LearningResource',
          name: lesson.title,
          description: lesson.description,
          url: `${origin}${address}`,
          image: `${origin}${lesson.thumbnail}`,
          author: { '@type': 'Person', name: lesson.ownerName },
          datePublished: lesson.date,
          keywords: lesson.tags,
          timeRequired: `PT${lesson.inside.articleMinutes}M`,
        },
        {
          '@type': 'BreadcrumbList',
          itemListElement: [
            {
              '@type': 'ListItem',
              position: 1,
              name: t('lessons'),
              item: `${origin}${to.lessons()}`,
            },
            { '@type': 'ListItem', position: 2, name: lesson.title },
          ],
        },
      ],
    },
  }
}
