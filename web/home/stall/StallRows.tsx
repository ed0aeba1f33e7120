import type { FreshLesson, Stall } from '#contract/home.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { Carousel } from '#web/home/Carousel.tsx'
import { CourseItem } from '#web/items/shared/list/CourseItem.tsx'
import { LessonItem } from '#web/items/lessons/LessonItem.tsx'
import styles from './StallStrip.module.css'

export function StallRows({ stall }: { readonly stall: Stall }) {
  const { t } = useText()
  const { fresh, followed, steps } = stall
  return (
    <>
      {/* Without a history, these would only repeat the most watched lessons. */}
      {steps === null && fresh.length > 0 && (
        <Carousel title={t('stallFresh')} all={to.lessons()} allText={t('stallFreshAll')}>
          {fresh.map(({ card, because }) => (
            <LessonItem key={card.id} lesson={card} eager far={<Because {...because} />} />
          ))}
        </Carousel>
      )}
      {followed.length > 0 && (
        <Carousel title={t('stallFollowed')} all={to.followed()} allText={t('stallFollowedAll')}>
          {followed.map((item) =>
            item.kind === 'course' ? (
              <CourseItem key={`course ${item.card.id}`} course={item.card} />
            ) : (
              <LessonItem key={`lesson ${item.card.id}`} lesson={item.card} />
            ),
          )}
        </Carousel>
      )}
    </>
  )
}

function Because({ why, tag }: FreshLesson['because']) {
  const { t } = useText()
  return (
    <span className={styles.because}>
      {why === 'tag'
        ? t('stallBecauseTag', { tag: tag ?? '' })
        : t(why === 'together' ? 'stallBecauseTogether' : 'stallBecausePopular')}
    </span>
  )
}
