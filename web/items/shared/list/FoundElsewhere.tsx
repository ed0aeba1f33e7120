import type { ReactNode } from 'react'
import type { LessonHit } from '#contract/search.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import type { OtherMatches } from '#web/items/shared/list/besides.ts'
import { CourseItem } from '#web/items/shared/list/CourseItem.tsx'
import { CloseMatches } from '#web/items/shared/nothing/CloseMatches.tsx'
import { TagLink } from '#web/items/shared/TagLink.tsx'
import { CardGrid } from '#web/ui/books/CardGrid.tsx'
import { Head } from '#web/ui/Head.tsx'
import { classes } from '#web/ui/classes.ts'
import tagStyles from '#web/items/shared/Tag.module.css'
import tagsStyles from '#web/items/shared/Tags.module.css'

interface FoundElsewhereProps {
  readonly found: OtherMatches
  readonly q: string
  /** Says that the list itself found nothing. */
  readonly nothing: string | undefined
  readonly lessonCard: (lesson: LessonHit) => ReactNode
}

/** Follows a list that searches titles, with matches in descriptions, tags, names and the other kind. */
export function FoundElsewhere({ found, q, nothing, lessonCard }: FoundElsewhereProps) {
  const { t } = useText()
  const { lessons, courses, tags, spellings } = found
  return (
    <section className={tagsStyles.found} aria-labelledby="found-elsewhere">
      <Head title={t('searchElsewhere')} id="found-elsewhere">
        <Link to={to.search({ q })}>{t('searchAllFor', { q })}</Link>
      </Head>
      {nothing !== undefined && spellings.length === 0 && (
        <p className={classes('quiet', tagsStyles.said)}>{nothing}</p>
      )}
      <CloseMatches q={q} spellings={spellings} />
      {tags.length > 0 && (
        <ul className={tagsStyles.tags} aria-label={t('tags')}>
          {tags.map(({ tag }) => (
            <li key={tag}>
              <TagLink tag={tag} className={tagStyles.tag} />
            </li>
          ))}
        </ul>
      )}
      <CardGrid>
        {[
          ...lessons.map(lessonCard),
          ...courses.map((course) => (
            <CourseItem key={`course-${course.id}`} course={course} level="h3" found={course} />
          )),
        ]}
      </CardGrid>
    </section>
  )
}
