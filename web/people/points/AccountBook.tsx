import type { Entry } from '#contract/points.ts'
import { useHydrated } from '#web/core/hydrated.ts'
import { useText } from '#web/core/i18n.tsx'
import { EntryLine } from '#web/people/points/EntryLine.tsx'
import { Ledger, LedgerColumn, LedgerMonth } from '#web/ui/points/Ledger.tsx'

const COLUMNS = 5

export function AccountBook({ entries }: { readonly entries: readonly Entry[] }) {
  const { t, formatMonth } = useText()
  // The server does not know the user's time zone, so months may shift after hydration.
  const zone = useHydrated() ? undefined : 'UTC'
  const months = Map.groupBy(entries, (entry) => formatMonth(entry.date, zone))
  return (
    <Ledger
      caption={t('pointsCaption')}
      hideCaption
      flow
      head={
        <>
          <LedgerColumn kind="d">{t('pointsDay')}</LedgerColumn>
          <LedgerColumn>{t('pointsWhat')}</LedgerColumn>
          <LedgerColumn kind="n">{t('pointsColumnIn')}</LedgerColumn>
          <LedgerColumn kind="n">{t('pointsColumnOut')}</LedgerColumn>
          <LedgerColumn kind="n sum">{t('pointsBalance')}</LedgerColumn>
        </>
      }
    >
      {[...months].map(([month, lines]) => (
        <tbody key={month} role="rowgroup">
          <LedgerMonth columns={COLUMNS}>{month}</LedgerMonth>
          {lines.map((entry) => (
            <EntryLine key={entry.id} entry={entry} />
          ))}
        </tbody>
      ))}
    </Ledger>
  )
}
