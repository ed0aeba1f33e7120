import { useEffect, useState } from 'react'
import { courses, type CourseChoice } from '#contract/courses.ts'
import { COURSE_LESSONS, COURSE_REWARD } from '#contract/limits.ts'
import { api } from '#web/core/api.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { Spine } from '#web/ui/books/Spine.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Published.module.css'
import fieldStyles from '#web/ui/inputs/Field.module.css'

/**
 * A shelf with six places for the lessons that count towards a rewarded course: those with a reward of their own
 * that no other rewarded course has counted. It has its final size while it loads, so that nothing shifts.
 */
export function TowardsCourse({ newest }: { readonly newest: number }) {
  const { t, formatNumber } = useText()
  const [choices, setChoices] = useState<readonly CourseChoice[] | null>(null)
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    const stop = new AbortController()
    api(courses.choices, {}, { signal: stop.signal }).then(setChoices, () => {
      if (!stop.signal.aborted) setFailed(true)
    })
    return () => stop.abort()
  }, [])
  // The page works without the shelf.
  if (failed) return null
  const { min } = COURSE_LESSONS
  const counting = (choices ?? []).filter(({ counts }) => counts)
  const standing = counting.slice(0, min).reverse()
  const reward = formatNumber(COURSE_REWARD)
  const isFull = counting.length >= min
  return (
    <div className={styles.towards}>
      <div className={styles.places} aria-hidden="true">
        {standing.map(({ id, title }) => (
          <Spine
            key={id}
            as="span"
            data-place="taken"
            seed={id}
            title={title}
            data-newest={id === newest ? '' : undefined}
          />
        ))}
        {Array.from({ length: min - standing.length }, (_, place) => (
          <span key={standing.length + place} className={styles.place} data-place="free" />
        ))}
      </div>
      <p className={classes(fieldStyles.count, styles.count)}>
        {choices === null && '\u00a0'}
        {choices !== null &&
          (isFull
            ? t('momentShelfFull', { min, reward })
            : t('momentShelf', { count: counting.length, min, reward }))}
      </p>
      <div
        className={
          choices === null
            ? classes('acts', styles.acts, styles.unknown)
            : classes('acts', styles.acts)
        }
      >
        <ButtonLink as={Link} icon="plus" to={isFull ? to.createCourse() : to.createLesson()}>
          {t(isFull ? 'createCourse' : 'createLesson')}
        </ButtonLink>
      </div>
    </div>
  )
}
