import { UNDO_DAYS } from '#contract/limits.ts'
import type { ModeratedRating, RatingsQuery } from '#contract/ratings.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { usePageData } from '#web/core/page.ts'
import { type DeskQuery, to } from '#web/core/paths.ts'
import { textLanguage } from '#web/core/text-language.ts'
import { Marked, Reasons } from '#web/operate/moderation/comments/Judged.tsx'
import { JudgedTable } from '#web/operate/moderation/comments/JudgedTable.tsx'
import { OpinionFilters } from '#web/operate/moderation/comments/OpinionFilters.tsx'
import { useDesk } from '#web/operate/desk/desk.ts'
import { DeskList } from '#web/operate/desk/DeskList.tsx'
import type { loader } from '#web/operate/moderation/ratings/RatingsPage.data.ts'
import { StarRow } from '#web/items/ratings/StarRow.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { classes } from '#web/ui/classes.ts'
import { Empty } from '#web/ui/Empty.tsx'
import styles from '#web/operate/desk/Desk.module.css'

function addressOf({ label, deleted }: RatingsQuery, change: DeskQuery): string {
  return to.ratings({ label, deleted: deleted ? 'on' : undefined, ...change })
}

export default function RatingsPage() {
  const { counts, query, list, now } = usePageData<typeof loader>()
  const { t, formatNumber } = useText()
  const { ratings, total, more, page, pages } = list
  const { deleted } = query
  const desk = useDesk('rating', ratings, deleted)
  return (
    <DeskList
      here="ratings"
      path={to.ratings()}
      title={t('ratings')}
      loading={t('deskRatingsLoading')}
      counts={counts}
      desk={desk}
      items={ratings}
      size={{ total, more }}
      page={page}
      pages={pages}
      hrefOf={(number) => addressOf(query, { page: number })}
      deleted={deleted}
      filters={
        <OpinionFilters
          query={query}
          choices={query.label === undefined ? 0 : 1}
          hrefOf={(change) => addressOf(query, change)}
          cleared={to.ratings({ deleted: deleted ? 'on' : undefined })}
          labels={list.labels}
          show={
            more
              ? t('deskRatingsShowMany', { total: `${formatNumber(total)}+` })
              : t('deskRatingsShow', { total })
          }
        />
      }
      nothing={<Nothing />}
      table={
        <JudgedTable
          label={t('ratings')}
          list={ratings}
          desk={desk}
          deleted={deleted}
          now={now}
          words={{
            select: 'deskRatingSelect',
            delete: 'deskRatingDelete',
            restore: 'deskRatingRestore',
          }}
          what={{ name: t('rating'), cell: (rating) => <Words rating={rating} /> }}
          item={{
            name: t('deskRatingOf'),
            of: ({ kind, itemId, title }) => ({
              path: kind === 'lesson' ? to.lesson(itemId) : to.course(itemId),
              title,
            }),
          }}
          pictureOf={({ imageUrl }) => imageUrl}
          hasWords={({ text }) => text !== undefined}
        />
      }
    />
  )
}

function Words({ rating }: { readonly rating: ModeratedRating }) {
  const { t } = useText()
  const { stars, text, why, answer } = rating
  return (
    <>
      <StarRow stars={stars} />
      {text !== undefined && (
        <details className={classes(rating.prediction === 'TOXIC' && styles.toxic)}>
          <summary lang={textLanguage(text)} dir="auto">
            <Marked text={text} why={why} />
          </summary>
          <Reasons judged={rating} />
          {answer !== undefined && (
            <p>
              <b>{t('ratingAuthorSays')}</b>{' '}
              <span lang={textLanguage(answer.text)} dir="auto">
                {answer.text}
              </span>
            </p>
          )}
        </details>
      )}
    </>
  )
}

function Nothing() {
  const { query } = usePageData<typeof loader>()
  const { t } = useText()
  const { label, deleted } = query
  const words = () => {
    if (label !== undefined) return t('deskRatingsNoneLabel')
    return deleted ? t('deskRatingsNoneDeleted', { days: UNDO_DAYS }) : t('deskRatingsNone')
  }
  return (
    <Empty
      drawing={label === undefined ? 'talk' : 'search'}
      title={words()}
      step={
        (label !== undefined || deleted) && (
          <ButtonLink
            as={Link}
            to={to.ratings({ deleted: deleted && label !== undefined ? 'on' : undefined })}
          >
            {t(label === undefined ? 'deskRatingsAll' : 'clearFilters')}
          </ButtonLink>
        )
      }
    />
  )
}
