import type { ReactNode } from 'react'
import { OF_TAG_COUNTED } from '#contract/limits.ts'
import { useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { useSlowWait } from '#web/core/router/slow-wait.ts'
import { textLanguage } from '#web/core/text-language.ts'
import { CourseItem } from '#web/items/shared/list/CourseItem.tsx'
import { FeedLink } from '#web/items/shared/list/FeedLink.tsx'
import { PageLinks } from '#web/layout/paging/PageLinks.tsx'
import { LessonItem } from '#web/items/lessons/LessonItem.tsx'
import type { loader } from '#web/items/search/TagPage.data.ts'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { CardGrid } from '#web/ui/books/CardGrid.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { Head } from '#web/ui/Head.tsx'
import { GridSkeleton } from '#web/ui/Skeleton.tsx'
import styles from '#web/ui/styles/Item.module.css'
import headStyles from '#web/ui/styles/Head.module.css'
import tagStyles from '#web/items/shared/Tag.module.css'

/** Pictures above the fold on a wide screen. */
const SEEN_FIRST = 5

export default function TagPage() {
  const { tag, page, pages, lessons, courses, totals } = usePageData<typeof loader>()
  const { t, formatNumber, locale } = useText()
  const waits = useSlowWait(to.tag(tag))
  const isMany = totals.lessons > OF_TAG_COUNTED
  const count = [
    isMany
      ? t('lessonsOver', { total: formatNumber(OF_TAG_COUNTED) })
      : t('lessonCount', { total: totals.lessons }),
    totals.courses > 0 && t('courseCount', { total: totals.courses }),
  ].filter((part) => part !== false)
  if (totals.lessons === 0) return <NoLessons tag={tag} />
  return (
    <>
      <Title tag={tag}>
        <p className="quiet num" role="status">
          {count.join(', ')}, {t('sortedNone')}
        </p>
        <div className={headStyles.end}>
          <FeedLink href={to.feedOfTag(tag, locale)} />
        </div>
      </Title>
      {waits && <GridSkeleton label={t('loadingLessons')} />}
      {!waits && lessons.length > 0 && (
        <CardGrid>
          {lessons.map((lesson, place) => (
            <LessonItem key={lesson.id} lesson={lesson} level="h2" eager={place < SEEN_FIRST} />
          ))}
        </CardGrid>
      )}
      {!waits && courses.length > 0 && (
        <section className={styles.moreLikeIt} aria-labelledby="tag-courses">
          <Head title={t('courses')} id="tag-courses" />
          <CardGrid>
            {courses.map((course) => (
              <CourseItem key={course.id} course={course} level="h3" />
            ))}
          </CardGrid>
        </section>
      )}
      <PageLinks page={page} pages={pages} href={(other) => to.tag(tag, other)} />
    </>
  )
}

function Title({ tag, children }: { readonly tag: string; readonly children: ReactNode }) {
  return (
    <div className={headStyles.head}>
      <h1 className={tagStyles.tagTitle} lang={textLanguage(tag)} dir="auto">
        {tag}
      </h1>
      {children}
    </div>
  )
}

function NoLessons({ tag }: { readonly tag: string }) {
  const { t } = useText()
  return (
    <>
      <Title tag={tag}>
        <p className="quiet" role="status">
          {t('lessonCount', { total: 0 })}
        </p>
      </Title>
      <Empty
        drawing="shelf"
        title={t('tagEmpty')}
        step={
          <ButtonLink as={Link} kind="main" to={to.lessons()}>
            {t('browseLessons')}
          </ButtonLink>
        }
      >
        {t('tagEmptyTip')}
      </Empty>
    </>
  )
}
