import type { LockedLesson } from '#contract/lessons.ts'
import { useText } from '#web/core/i18n.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { Points } from '#web/ui/points/Points.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/ui/books/Book.module.css'
import itemStyles from '#web/ui/styles/Item.module.css'

interface FirstPageProps {
  readonly lesson: Pick<LockedLesson, 'price'>
  readonly opening: string
}

/** The author's opening on the book's first page. It runs under the price band and fades out. */
export function FirstPage({ lesson, opening }: FirstPageProps) {
  const { t, formatNumber } = useText()
  return (
    <section className={itemStyles.firstPage} aria-labelledby="first-page">
      <h2 id="first-page">{t('openingOf')}</h2>
      <p lang={textLanguage(opening)} dir="auto">
        {opening}
      </p>
      <div className={itemStyles.goesOn} aria-hidden="true">
        <span data-band className={classes(itemStyles.band, styles.band, styles.belly)}>
          <Points amount={formatNumber(lesson.price)} unit={t('kbPoints')} dark />
          <em>{t('sealed')}</em>
        </span>
      </div>
    </section>
  )
}
