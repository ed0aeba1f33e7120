import type { EconomyDay } from '#contract/economy.ts'
import { useText } from '#web/core/i18n.tsx'
import { toWeeks, type Week } from '#web/operate/economy/weeks.ts'
import { Ledger, LedgerCell, LedgerColumn, LedgerLine } from '#web/ui/points/Ledger.tsx'
import styles from './Economy.module.css'

/** A chart of the points made and spent each week, beside a table with the same numbers. */
export function Weeks({ days }: { readonly days: readonly EconomyDay[] }) {
  const { t, formatNumber, formatShortDay } = useText()
  const weeks = toWeeks(days)
  return (
    <div className={styles.weeks}>
      <Chart weeks={weeks} />
      <Ledger
        caption={t('economyWeeksCaption')}
        hideCaption
        head={
          <>
            <LedgerColumn>{t('economyWeek')}</LedgerColumn>
            <LedgerColumn kind="n">{t('economyMade')}</LedgerColumn>
            <LedgerColumn kind="n">{t('pointsSpent')}</LedgerColumn>
            <LedgerColumn kind="n">{t('economyUnlocks')}</LedgerColumn>
            <LedgerColumn kind="n">{t('economyNewcomers')}</LedgerColumn>
          </>
        }
      >
        <tbody role="rowgroup">
          {weeks.toReversed().map((week) => (
            <LedgerLine key={week.from}>
              <LedgerCell>{formatShortDay(week.from, 'UTC')}</LedgerCell>
              <LedgerCell kind="n">{formatNumber(week.made)}</LedgerCell>
              <LedgerCell kind="n">{formatNumber(week.spent)}</LedgerCell>
              <LedgerCell kind="n">{formatNumber(week.unlocks)}</LedgerCell>
              <LedgerCell kind="n">{formatNumber(week.newcomers)}</LedgerCell>
            </LedgerLine>
          ))}
        </tbody>
      </Ledger>
    </div>
  )
}

const WIDTH = 600
const HEIGHT = 240
/** Room for half of a line's width above and below. */
const EDGE = 3

function Chart({ weeks }: { readonly weeks: readonly Week[] }) {
  const { t, formatNumber, formatShortDay } = useText()
  const all = weeks.flatMap(({ made, spent }) => [made, spent])
  const [low, high] = [Math.min(0, ...all), Math.max(1, ...all)]
  const heightOf = (value: number) => EDGE + ((high - value) / (high - low)) * (HEIGHT - 2 * EDGE)
  const pointsOf = (read: (week: Week) => number) =>
    weeks
      .map((week, place) => {
        const x = weeks.length === 1 ? WIDTH / 2 : (place / (weeks.length - 1)) * WIDTH
        return `${x.toFixed(1)},${heightOf(read(week)).toFixed(1)}`
      })
      .join(' ')
  return (
    <figure className={styles.chart}>
      <figcaption>
        <Sample />
        {t('economyMade')}
        <Sample dashed />
        {t('pointsSpent')}
        <span className="quiet num">{t('economyMost', { points: formatNumber(high) })}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t('economyChart')}
      >
        <line x1="0" x2={WIDTH} y1={heightOf(0)} y2={heightOf(0)} className={styles.zero} />
        <polyline points={pointsOf(({ made }) => made)} />
        <polyline points={pointsOf(({ spent }) => spent)} className={styles.dashed} />
      </svg>
      <p className="quiet small num" aria-hidden="true">
        <span>{formatShortDay(weeks[0]?.from ?? '', 'UTC')}</span>
        <span>{formatShortDay(weeks.at(-1)?.to ?? '', 'UTC')}</span>
      </p>
    </figure>
  )
}

/** Shows in the legend how a line looks. */
function Sample({ dashed = false }: { readonly dashed?: boolean }) {
  return (
    <svg viewBox="0 0 36 8" className={styles.sample} aria-hidden="true">
      <polyline points="0,4 36,4" className={dashed ? styles.dashed : undefined} />
    </svg>
  )
}
