import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { useDesk } from '#web/moderation/desk/desk.ts'
import { DeskList } from '#web/moderation/desk/DeskList.tsx'
import { addressOf, RatingFilters } from '#web/moderation/ratings/RatingFilters.tsx'
import { RatingTable } from '#web/moderation/ratings/RatingTable.tsx'
import type { loader } from '#web/moderation/ratings/RatingsPage.data.ts'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Empty } from '#web/ui/Empty.tsx'

/** All ratings with words, for administrators: who said what, what the machine thinks of it, and what becomes of it. */
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
        <RatingFilters
          query={query}
          labels={list.labels}
          show={
            more
              ? t('deskRatingsShowMany', { total: `${formatNumber(total)}+` })
              : t('deskRatingsShow', { total })
          }
        />
      }
      nothing={<Nothing />}
      table={<RatingTable list={ratings} desk={desk} deleted={deleted} now={now} />}
    />
  )
}

/** Why the list is empty. */
function Nothing() {
  const { query } = usePageData<typeof loader>()
  const { t } = useText()
  const { label, deleted } = query
  const words = () => {
    if (label !== undefined) return t('deskRatingsNoneLabel')
    return t(deleted ? 'deskRatingsNoneDeleted' : 'deskRatingsNone')
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
