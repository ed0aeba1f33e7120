import type { ReactNode } from 'react'
import { useText } from '#web/core/i18n.tsx'
import type { Suggestions } from '#web/items/shared/list/besides.ts'
import { CourseItem } from '#web/items/shared/list/CourseItem.tsx'
import { Spellings } from '#web/items/shared/nothing/Spellings.tsx'
import { TagLink } from '#web/items/shared/TagLink.tsx'
import { CardGrid } from '#web/ui/books/CardGrid.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { Head } from '#web/ui/Head.tsx'
import tagsStyles from '#web/items/shared/Tags.module.css'
import styles from '#web/ui/styles/Item.module.css'
import tagStyles from '#web/items/shared/Tag.module.css'

export interface NothingFoundProps {
  readonly title: string
  /** Shown when there are no similar spellings. */
  readonly tip: string
  readonly step: ReactNode
  readonly suggestions: Suggestions
}

export function NothingFound({ title, tip, step, suggestions }: NothingFoundProps) {
  const { t } = useText()
  const { spellings, shelves, courses } = suggestions
  return (
    <>
      <Empty drawing="search" title={title} step={step}>
        {spellings.length > 0 ? (
          <>
            {t('searchMeant')} <Spellings spellings={spellings} />
          </>
        ) : (
          tip
        )}
      </Empty>
      {shelves.length > 0 && (
        <section className={tagsStyles.found} aria-labelledby="other-tags">
          <Head title={t('homeTags')} id="other-tags" />
          <ul className={tagsStyles.tags}>
            {shelves.map(({ tag }) => (
              <li key={tag}>
                <TagLink tag={tag} className={tagStyles.tag} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {courses.length > 0 && (
        <section className={styles.moreLikeIt} aria-labelledby="other-courses">
          <Head title={t('homeHighest')} id="other-courses" />
          <CardGrid>
            {courses.map((course) => (
              <CourseItem key={course.id} course={course} level="h3" />
            ))}
          </CardGrid>
        </section>
      )}
    </>
  )
}
