import type { EconomyDay } from '#contract/economy.ts'
import { useText } from '#web/core/i18n.tsx'
import { toWeeks } from '#web/operate/economy/weeks.ts'
import { Beside, Chart } from '#web/ui/figures/Chart.tsx'
import { Ledger, LedgerCell, LedgerColumn, LedgerLine } from '#web/ui/points/Ledger.tsx'

/** A chart of the points made and spent each week, beside a table with the same numbers. */
export function Weeks({ days }: { readonly days: readonly EconomyDay[] }) {
  const { t, formatNumber, formatShortDay } = useText()
  const weeks = toWeeks(days)
  return (
    <Beside>
      <Chart
        label={t('economyChart')}
        series={[
          { name: t('economyMade'), values: weeks.map(({ made }) => made) },
          { name: t('pointsSpent'), values: weeks.map(({ spent }) => spent) },
        ]}
        top={(points) => t('economyMost', { points: formatNumber(points) })}
        from={formatShortDay(weeks[0]?.from ?? '', 'UTC')}
        to={formatShortDay(weeks.at(-1)?.to ?? '', 'UTC')}
      />
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
    </Beside>
  )
}
