import { LESSON_REWARD, MOST_AUTHOR_SHARE } from '#contract/limits.ts'
import type { Ledger } from '#contract/points.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { useSettings } from '#web/core/settings.ts'
import { to } from '#web/core/paths.ts'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Coin } from '#web/ui/points/Coin.tsx'
import styles from './PointsSummary.module.css'

type Sums = Pick<Ledger, 'kbPoints' | 'debt' | 'earned' | 'refunded' | 'spent' | 'takenBack'>

export function PointsSummary({ kbPoints, debt, ...sums }: Sums) {
  const { t, formatNumber } = useText()
  const { authorShare } = useSettings()
  const lines = [
    { name: t('pointsEarned'), sum: sums.earned, always: true },
    { name: t('pointsRefunded'), sum: sums.refunded },
    { name: t('pointsSpent'), sum: sums.spent, always: true },
    { name: t('pointsTakenBack'), sum: sums.takenBack },
  ].filter(({ sum, always }) => always === true || sum > 0)
  return (
    <div className={styles.summary}>
      <div>
        <h1>{t('pointsTitle')}</h1>
        <p data-balance className={styles.now}>
          <Coin />
          <span>{formatNumber(kbPoints)}</span>
          <span className="sr">{` ${t('kbPoints')}`}</span>
        </p>
      </div>
      <dl>
        {lines.map(({ name, sum }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{formatNumber(sum)}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.end}>
        <ButtonLink as={Link} kind="pay" to={to.createLesson()}>
          {t('pointsCreate', { points: formatNumber(LESSON_REWARD) })}
        </ButtonLink>
      </p>
      {authorShare > 0 && (
        <p className={styles.shares}>
          {t('pointsShare', {
            percent: formatNumber(authorShare),
            most: formatNumber(MOST_AUTHOR_SHARE),
          })}
        </p>
      )}
      {debt > 0 && <p className={styles.owed}>{t('pointsDebt', { points: formatNumber(debt) })}</p>}
    </div>
  )
}
