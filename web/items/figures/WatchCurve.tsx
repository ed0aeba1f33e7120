import { clockTime } from '#contract/clock-time.ts'
import { CURVE_STEPS, type Curve } from '#contract/figures.ts'
import { useText } from '#web/core/i18n.tsx'
import { Beside, Chart } from '#web/ui/figures/Chart.tsx'
import { Ledger, LedgerCell, LedgerColumn, LedgerLine } from '#web/ui/points/Ledger.tsx'

/** How many viewers reach each tenth of the video. */
export function WatchCurve({ curve: { viewers, length, reached } }: { readonly curve: Curve }) {
  const { t, formatNumber, formatPercent } = useText()
  const all = [viewers, ...reached]
  const timeOf = (step: number) => clockTime(Math.round((step * length) / CURVE_STEPS))
  return (
    <Beside>
      <Chart
        label={t('authorChart', { name: t('authorCurve') })}
        series={[{ name: t('authorReached'), values: all }]}
        top={(number) => t('economyMost', { points: formatNumber(number) })}
        from={timeOf(0)}
        to={timeOf(CURVE_STEPS)}
      />
      <Ledger
        caption={t('authorCurve')}
        hideCaption
        head={
          <>
            <LedgerColumn>{t('authorPlace')}</LedgerColumn>
            <LedgerColumn kind="n">{t('authorReached')}</LedgerColumn>
            <LedgerColumn kind="n">{t('checkShare')}</LedgerColumn>
          </>
        }
      >
        <tbody role="rowgroup">
          {all.map((count, step) => (
            <LedgerLine key={timeOf(step)}>
              <LedgerCell>{timeOf(step)}</LedgerCell>
              <LedgerCell kind="n">{formatNumber(count)}</LedgerCell>
              <LedgerCell kind="n">{formatPercent(count / viewers)}</LedgerCell>
            </LedgerLine>
          ))}
        </tbody>
      </Ledger>
    </Beside>
  )
}
