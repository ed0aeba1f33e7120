import type { CourseCard } from '#contract/courses.schemas.ts'
import type { TagShelf } from '#contract/home.schemas.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { CourseItem } from '#web/courses/CourseItem.tsx'
import { TagLink } from '#web/items/TagLink.tsx'
import { Spellings } from '#web/search/Spellings.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { CardGrid } from '#web/ui/books/CardGrid.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { Head } from '#web/ui/Head.tsx'

/** Courses in a row. */
const ROW = 5

interface NothingFoundProps {
  readonly q: string
  readonly spellings: readonly string[]
  readonly shelves: readonly TagShelf[]
  readonly courses: readonly CourseCard[]
}

/** Ways on: another spelling, the tags of what is read, the courses people like. */
export function NothingFound({ q, spellings, shelves, courses }: NothingFoundProps) {
  const { t } = useText()
  return (
    <>
      <Empty
        drawing="search"
        title={t('searchNothing', { q })}
        step={
          <ButtonLink as={Link} to={to.lessons()}>
            {t('browseLessons')}
          </ButtonLink>
        }
      >
        {spellings.length > 0 ? (
          <>
            {t('searchMeant')} <Spellings spellings={spellings} />
          </>
        ) : (
          t('searchNothingTip')
        )}
      </Empty>
      {shelves.length > 0 && (
        <section className="found" aria-labelledby="other-tags">
          <Head title={t('homeTags')} id="other-tags" />
          <ul className="tags">
            {shelves.map(({ tag }) => (
              <li key={tag}>
                <TagLink tag={tag} className="tag" />
              </li>
            ))}
          </ul>
        </section>
      )}
      {courses.length > 0 && (
        <section className="more-like-it" aria-labelledby="other-courses">
          <Head title={t('homeHighest')} id="other-courses" />
          <CardGrid>
            {courses.slice(0, ROW).map((course) => (
              <CourseItem key={course.id} course={course} level="h3" />
            ))}
          </CardGrid>
        </section>
      )}
    </>
  )
}
