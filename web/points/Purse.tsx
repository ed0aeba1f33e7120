import { Link } from 'react-router'
import { LESSON_REWARD } from '#contract/limits.ts'
import type { Ledger } from '#contract/points.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Coin } from '#web/ui/Coin.tsx'

type Sums = Pick<Ledger, 'kbPoints' | 'debt' | 'earned' | 'spent'>

/** What a person has, what came in and went out in all, and how to earn more. */
export function Purse({ kbPoints, debt, earned, spent }: Sums) {
  const { t, formatNumber } = useText()
  return (
    <div className="purse">
      <div>
        <h1>{t('pointsTitle')}</h1>
        <p className="now">
          <Coin />
          <span>{formatNumber(kbPoints)}</span>
          <span className="sr">{` ${t('kbPoints')}`}</span>
        </p>
      </div>
      <dl>
        <div>
          <dt>{t('pointsEarned')}</dt>
          <dd>{formatNumber(earned)}</dd>
        </div>
        <div>
          <dt>{t('pointsSpent')}</dt>
          <dd>{formatNumber(spent)}</dd>
        </div>
      </dl>
      <p className="end">
        <ButtonLink as={Link} kind="pay" to={to.createLesson()}>
          {t('pointsCreate', { points: formatNumber(LESSON_REWARD) })}
        </ButtonLink>
      </p>
      {debt > 0 && <p className="owed">{t('pointsDebt', { points: formatNumber(debt) })}</p>}
    </div>
  )
}
