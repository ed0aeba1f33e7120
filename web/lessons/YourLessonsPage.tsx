import { Link } from 'react-router'
import { LESSON_REWARD } from '#contract/limits.ts'
import { useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { HeldItems } from '#web/items/list/HeldItems.tsx'
import { LessonItem } from '#web/lessons/LessonItem.tsx'
import { useSlowWait } from '#web/core/router/slow-wait.ts'
import type { loader } from '#web/lessons/YourLessonsPage.data.ts'
import { GridSkeleton } from '#web/ui/Skeleton.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Empty } from '#web/ui/Empty.tsx'

/** The lessons that the signed-in person made, and the way to make another. */
export default function YourLessonsPage() {
  const { page, items } = usePageData<typeof loader>()
  const { t, formatNumber } = useText()
  const waits = useSlowWait(to.yourLessons())
  const create = (
    <ButtonLink as={Link} kind="main" icon="plus" to={to.createLesson()}>
      {t('createLesson')}
    </ButtonLink>
  )
  return (
    <HeldItems
      title={t('yourLessons')}
      page={page}
      items={items}
      href={to.yourLessons}
      end={create}
      waiting={waits && <GridSkeleton label={t('loadingLessons')} />}
      empty={
        <Empty drawing="shelf" title={t('noLessonsYet')} step={create}>
          {t('yoursEmpty', { reward: formatNumber(LESSON_REWARD) })}
        </Empty>
      }
      card={(lesson, eager) => (
        <LessonItem key={lesson.id} lesson={lesson} level="h2" eager={eager} />
      )}
    />
  )
}
