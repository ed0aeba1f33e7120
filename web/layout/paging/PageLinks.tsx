import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { pageRange } from '#web/layout/paging/page-range.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { Pager } from '#web/ui/Pager.tsx'

interface PageLinksProps {
  readonly page: number
  readonly pages: number
  readonly href: (page: number) => string
}

/** Numbered pages as links; renders nothing for a single page. */
export function PageLinks({ page, pages, href }: PageLinksProps) {
  const { t, formatNumber } = useText()
  if (pages <= 1) return null
  const range = pageRange(page, pages)
  return (
    <Pager label={t('pages')}>
      {page > 1 && (
        <Link to={href(page - 1)} rel="prev" aria-label={t('previousPage')}>
          <Icon name="left" />
        </Link>
      )}
      {range.map((step, place) =>
        step === null ? (
          // There is at most one gap in each half.
          <span key={place < range.length / 2 ? 'before' : 'behind'} aria-hidden="true">
            …
          </span>
        ) : (
          <Link
            key={step}
            to={href(step)}
            aria-label={t('pageNumber', { page: step })}
            aria-current={step === page ? 'page' : undefined}
          >
            {formatNumber(step)}
          </Link>
        ),
      )}
      {page < pages && (
        <Link to={href(page + 1)} rel="next" aria-label={t('nextPage')}>
          <Icon name="right" />
        </Link>
      )}
    </Pager>
  )
}

interface TurnLinksProps extends Omit<PageLinksProps, 'pages'> {
  readonly more: boolean
}

/** Back and forward links, for lists whose total is unknown. */
export function TurnLinks({ page, more, href }: TurnLinksProps) {
  const { t, formatNumber } = useText()
  if (page <= 1 && !more) return null
  return (
    <Pager label={t('pages')}>
      {page > 1 && (
        <Link to={href(page - 1)} rel="prev" aria-label={t('previousPage')}>
          <Icon name="left" />
        </Link>
      )}
      <span aria-current="page">{formatNumber(page)}</span>
      {more && (
        <Link to={href(page + 1)} rel="next" aria-label={t('nextPage')}>
          <Icon name="right" />
        </Link>
      )}
    </Pager>
  )
}
