import { LESSON_REWARD } from '#contract/limits.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { AccountBook } from '#web/people/points/AccountBook.tsx'
import type { loader } from '#web/people/points/PointsPage.data.ts'
import { PointsSummary } from '#web/people/points/PointsSummary.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Chip } from '#web/ui/Chip.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Pager } from '#web/ui/Pager.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/ui/styles/Chip.module.css'

const shows: readonly (readonly ['all' | 'in' | 'out', MessageKey])[] = [
  ['all', 'pointsAll'],
  ['in', 'pointsIn'],
  ['out', 'pointsOut'],
]

export default function PointsPage() {
  const { show, ledger } = usePageData<typeof loader>()
  const { t, formatNumber } = useText()
  const { entries, counts } = ledger
  return (
    <>
      <PointsSummary {...ledger} />
      <div
        className={classes(styles.chips, styles.which)}
        role="group"
        aria-label={t('pointsWhich')}
      >
        {shows.map(([value, name]) => (
          <Chip
            key={value}
            as={Link}
            to={to.points(value === 'all' ? undefined : value)}
            current={value === show}
            count={formatNumber(counts[value])}
          >
            {t(name)}
          </Chip>
        ))}
      </div>
      {entries.length > 0 ? <AccountBook entries={entries} /> : <EmptyBook show={show} />}
      <Turn />
    </>
  )
}

function EmptyBook({ show }: { readonly show: 'all' | 'in' | 'out' }) {
  const { t, formatNumber } = useText()
  if (show !== 'all') {
    return <Empty drawing="account" title={t(show === 'in' ? 'pointsNoneIn' : 'pointsNoneOut')} />
  }
  return (
    <Empty
      drawing="account"
      title={t('pointsEmpty')}
      step={
        <ButtonLink as={Link} kind="main" to={to.createLesson()}>
          {t('navCreateLesson')}
        </ButtonLink>
      }
    >
      {t('pointsEmptyWhat', { points: formatNumber(LESSON_REWARD) })}
    </Empty>
  )
}

function Turn() {
  const { show, page, pages } = usePageData<typeof loader>()
  const { t, formatNumber } = useText()
  if (pages <= 1) return null
  const href = (number: number) => to.points(show === 'all' ? undefined : show, number)
  return (
    <Pager label={t('pages')}>
      {page > 1 && (
        <Link to={href(page - 1)} rel="prev" aria-label={t('previousPage')}>
          <Icon name="left" />
        </Link>
      )}
      <span>{t('pointsPageOf', { page: formatNumber(page), pages: formatNumber(pages) })}</span>
      {page < pages && (
        <Link to={href(page + 1)} rel="next" aria-label={t('nextPage')}>
          <Icon name="right" />
        </Link>
      )}
    </Pager>
  )
}
