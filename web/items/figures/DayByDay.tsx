import type { Figures } from '#contract/figures.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import { useText } from '#web/core/i18n.tsx'
import { toGroups, UNITS, type GroupUnit } from '#web/items/figures/groups.ts'
import { Beside, Chart } from '#web/ui/figures/Chart.tsx'
import { Ledger, LedgerCell, LedgerColumn, LedgerLine } from '#web/ui/points/Ledger.tsx'
import styles from './Figures.module.css'

const TITLES: Readonly<Record<GroupUnit, MessageKey>> = {
  day: 'authorByDay',
  week: 'authorByWeek',
  month: 'authorByMonth',
}
const COLUMNS: Readonly<Record<GroupUnit, MessageKey>> = {
  day: 'authorDay',
  week: 'economyWeek',
  month: 'authorMonth',
}

interface DayByDayProps {
  readonly period: Pick<Figures, 'days' | 'from' | 'to' | 'rows'>
  readonly hasViews?: boolean
}

/** Views, and unlocks with lessons done, beside a table with the same numbers. */
export function DayByDay({ period, hasViews = true }: DayByDayProps) {
  const { t, formatNumber, formatShortDay, formatMonth } = useText()
  const { days, from, to, rows } = period
  if (from === null || to === null) return null
  const unit = UNITS[days]
  const groups = toGroups(rows, { from, to, unit })
  const title = t(TITLES[unit])
  const format = unit === 'month' ? formatMonth : formatShortDay
  const ends = { from: format(from, 'UTC'), to: format(to, 'UTC') }
  const top = (number: number) => t('economyMost', { points: formatNumber(number) })
  return (
    <>
      <h2 className={styles.part}>{title}</h2>
      <Beside>
        <div className={styles.charts}>
          {hasViews && (
            <Chart
              label={t('authorChart', { name: t('views') })}
              series={[{ name: t('views'), values: groups.map(({ views }) => views) }]}
              top={top}
              {...ends}
            />
          )}
          <Chart
            label={t('authorChart', { name: t('economyUnlocks') })}
            series={[
              { name: t('economyUnlocks'), values: groups.map(({ unlocks }) => unlocks) },
              { name: t('authorDone'), values: groups.map(({ done }) => done) },
            ]}
            top={top}
            {...ends}
          />
        </div>
        <div className={styles.scroll} role="region" aria-label={title} tabIndex={0}>
          <Ledger
            caption={title}
            hideCaption
            head={
              <>
                <LedgerColumn>{t(COLUMNS[unit])}</LedgerColumn>
                {hasViews && <LedgerColumn kind="n">{t('views')}</LedgerColumn>}
                <LedgerColumn kind="n">{t('economyUnlocks')}</LedgerColumn>
                <LedgerColumn kind="n">{t('authorDone')}</LedgerColumn>
                <LedgerColumn kind="n">{t('economyPoints')}</LedgerColumn>
              </>
            }
          >
            <tbody role="rowgroup">
              {groups.toReversed().map((group) => (
                <LedgerLine key={group.from}>
                  <LedgerCell>{format(group.from, 'UTC')}</LedgerCell>
                  {hasViews && <LedgerCell kind="n">{formatNumber(group.views)}</LedgerCell>}
                  <LedgerCell kind="n">{formatNumber(group.unlocks)}</LedgerCell>
                  <LedgerCell kind="n">{formatNumber(group.done)}</LedgerCell>
                  <LedgerCell kind="n">{formatNumber(group.earned - group.returned)}</LedgerCell>
                </LedgerLine>
              ))}
            </tbody>
          </Ledger>
        </div>
      </Beside>
    </>
  )
}
