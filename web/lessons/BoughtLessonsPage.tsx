import { Link } from 'react-router'
import { useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import type { loader } from '#web/lessons/BoughtLessonsPage.data.ts'
import { HeldItems } from '#web/items/list/HeldItems.tsx'
import { LessonItem } from '#web/lessons/LessonItem.tsx'
import { useSlowWait } from '#web/core/router/slow-wait.ts'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { TurningBook } from '#web/ui/books/TurningBook.tsx'

/** The lessons that the signed-in person bought. */
export default function BoughtLessonsPage() {
  const { page, items } = usePageData<typeof loader>()
  const { t } = useText()
  const waits = useSlowWait(to.boughtLessons())
  return (
    <HeldItems
      title={t('boughtLessons')}
      page={page}
      items={items}
      href={to.boughtLessons}
      waiting={waits && <TurningBook label={t('fetchingBooks')} />}
      empty={
        <Empty
          drawing="shelf"
          title={t('noLessonsYet')}
          step={
            <ButtonLink as={Link} kind="main" to={to.lessons()}>
              {t('browseLessons')}
            </ButtonLink>
          }
        >
          {t('boughtEmpty')}
        </Empty>
      }
      card={(lesson, eager) => (
        <LessonItem key={lesson.id} lesson={lesson} level="h2" eager={eager} />
      )}
    />
  )
}
