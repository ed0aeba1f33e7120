import { type EconomyDay, sumByReason } from '#contract/economy.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import { useText } from '#web/core/i18n.tsx'
import { Ledger, LedgerCell, LedgerColumn, LedgerLine } from '#web/ui/points/Ledger.tsx'
import styles from './Economy.module.css'

/** A reason that only a newer version knows shows its code. */
const WORDS: Readonly<Record<string, MessageKey>> = {
  welcome: 'economyWelcome',
  created: 'economyCreated',
  captioned: 'economyCaptioned',
  rewardWithdrawn: 'economyWithdrawn',
  deletedByAdministrator: 'economyDeleted',
  corrected: 'economyCorrected',
  bought: 'economyBought',
  trusted: 'economyTrusted',
  owed: 'economyOwed',
  returned: 'economyReturned',
  videoGone: 'economyVideoGone',
  refunded: 'economyRefunded',
  lessonGone: 'economyLessonGone',
  share: 'economyShare',
  shareReturned: 'economyShareReturned',
  sameVideo: 'economySameVideo',
  sameArticle: 'economySameArticle',
  ownSeries: 'economyOwnSeries',
  dailyLimit: 'economyDailyLimit',
  lessonsDontCount: 'economyLessonsDontCount',
}

const PARTS = [
  ['made', 'economyMade'],
  ['spent', 'pointsSpent'],
  ['withheld', 'economyWithheld'],
] as const

/** Where points came from and went in all days together, and why rewards were withheld. */
export function Reasons({ days }: { readonly days: readonly EconomyDay[] }) {
  const { t, formatNumber } = useText()
  return (
    <div className={styles.reasons}>
      {PARTS.map(([part, name]) => (
        <Ledger
          key={part}
          caption={t(name)}
          hideCaption
          head={
            <>
              <LedgerColumn>{t(name)}</LedgerColumn>
              <LedgerColumn kind="n">
                {t(part === 'withheld' ? 'economyTimes' : 'economyPoints')}
              </LedgerColumn>
            </>
          }
        >
          <tbody role="rowgroup">
            {sumByReason(days, part).map(([reason, sum]) => (
              <LedgerLine key={reason}>
                <LedgerCell>{WORDS[reason] === undefined ? reason : t(WORDS[reason])}</LedgerCell>
                <LedgerCell kind="n">{formatNumber(sum)}</LedgerCell>
              </LedgerLine>
            ))}
          </tbody>
        </Ledger>
      ))}
    </div>
  )
}
