import { ECONOMY_DAYS, total } from '#contract/economy.ts'
import { useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import { DeskPage } from '#web/operate/desk/DeskPage.tsx'
import type { loader } from '#web/operate/economy/EconomyPage.data.ts'
import { Figures } from '#web/operate/economy/Figures.tsx'
import { Reasons } from '#web/operate/economy/Reasons.tsx'
import { UnusualAccounts } from '#web/operate/economy/UnusualAccounts.tsx'
import { sumOf } from '#web/operate/economy/weeks.ts'
import { Weeks } from '#web/operate/economy/Weeks.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { classes } from '#web/ui/classes.ts'
import deskStyles from '#web/operate/desk/Desk.module.css'
import styles from './Economy.module.css'

export default function EconomyPage() {
  const { figures, days, unusual, counts } = usePageData<typeof loader>()
  const { t, formatNumber, formatDate } = useText()
  const last = days.at(-1)
  return (
    <DeskPage
      here="economy"
      title={t('deskEconomy')}
      counts={counts}
      beside={
        last && (
          <p className="quiet num">{t('economyCounted', { date: formatDate(last.day, 'UTC') })}</p>
        )
      }
    >
      {last === undefined ? (
        <Empty drawing="account" title={t('economyNone')}>
          {t('economyNoneHelp')}
        </Empty>
      ) : (
        <>
          <p>
            {t('economySupply', {
              supply: formatNumber(last.supply),
              made: formatNumber(sumOf(days, ({ made }) => total(made))),
              spent: formatNumber(sumOf(days, ({ spent }) => total(spent))),
              days: ECONOMY_DAYS,
            })}
          </p>
          <Figures figures={figures} />
          <h2 className={deskStyles.deskPart}>{t('economyWeeks')}</h2>
          <Weeks days={days} />
          <h2 className={deskStyles.deskPart}>{t('economyReasons')}</h2>
          <Reasons days={days} />
          <h2 className={deskStyles.deskPart}>{t('economyUnusual')}</h2>
          <p className={classes('quiet', styles.help)}>{t('economyUnusualHelp')}</p>
          <UnusualAccounts accounts={unusual} />
        </>
      )}
    </DeskPage>
  )
}
