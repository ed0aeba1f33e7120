import { readFigures } from '#contract/economy.ts'
import { useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { DeskPage } from '#web/operate/desk/DeskPage.tsx'
import type { loader } from '#web/operate/numbers/NumbersPage.data.ts'
import { Parts } from '#web/operate/numbers/Parts.tsx'
import { Tiles } from '#web/operate/numbers/Tiles.tsx'
import { PERIOD } from '#web/operate/numbers/tiles.ts'
import { Waiting } from '#web/operate/numbers/Waiting.tsx'
import styles from '#web/operate/desk/Desk.module.css'

export default function NumbersPage() {
  const { days, parts, disk, database, counts } = usePageData<typeof loader>()
  const { t, formatDate } = useText()
  const last = days.at(-1)
  const unhealthy = readFigures(days).filter(({ state }) => state === 'low' || state === 'high')
  return (
    <DeskPage
      here="numbers"
      title={t('deskNumbers')}
      counts={counts}
      beside={
        last && (
          <p className="quiet num">{t('economyCounted', { date: formatDate(last.day, 'UTC') })}</p>
        )
      }
    >
      {counts !== null && <Waiting counts={counts} />}
      <h2 className={styles.deskPart}>{t('numbersDays', { days: PERIOD })}</h2>
      {last === undefined ? <p className="quiet">{t('numbersNone')}</p> : <Tiles days={days} />}
      {last !== undefined && (
        <p>
          {t('numbersFigures', { count: unhealthy.length })}{' '}
          <Link to={to.economy()}>{t('deskEconomy')}</Link>
        </p>
      )}
      <h2 className={styles.deskPart}>{t('numbersParts')}</h2>
      <Parts parts={parts} disk={disk} database={database} />
    </DeskPage>
  )
}
