import { Link } from 'react-router'
import { useText } from '#web/core/i18n.tsx'
import { pageNumbers } from '#web/lessons/page-numbers.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { Pager } from '#web/ui/Pager.tsx'

interface PageLinksProps {
  readonly page: number
  readonly pages: number
  /** The address of a page. */
  readonly href: (page: number) => string
}

/** Numbered pages as real links; nothing when there is one page. */
export function PageLinks({ page, pages, href }: PageLinksProps) {
  const { t, formatNumber } = useText()
  if (pages <= 1) return null
  return (
    <Pager label={t('pages')}>
      {page > 1 && (
        <Link to={href(page - 1)} rel="prev" aria-label={t('previousPage')}>
          <Icon name="left" />
        </Link>
      )}
      {pageNumbers(page, pages).map((step) =>
        'page' in step ? (
          <Link
            key={step.page}
            to={href(step.page)}
            aria-label={t('pageNumber', { page: step.page })}
            aria-current={step.page === page ? 'page' : undefined}
          >
            {formatNumber(step.page)}
          </Link>
        ) : (
          <span key={`after ${step.gapAfter}`} aria-hidden="true">
            …
          </span>
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
  /** Whether there may be another page. */
  readonly more: boolean
}

/** Back and forth, for lists that don't count themselves. */
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
