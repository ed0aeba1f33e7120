import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { to } from '#web/core/paths.ts'
import { useCount } from '#web/core/moments/use-count.ts'
import { Points } from '#web/ui/points/Points.tsx'
import styles from './Header.module.css'

interface BalanceProps {
  readonly personId: string
  readonly points: number
}

/** What one has, always in sight, counting to what it becomes; leads to the profile, and from there to the account book. */
export function Balance({ personId, points }: BalanceProps) {
  const { t, formatNumber } = useText()
  const shown = useCount(points)
  return (
    <Link className={styles.balance} data-balance to={to.profile(personId)}>
      <Points amount={formatNumber(shown)} unit={t('kbPoints')} dark />
    </Link>
  )
}
