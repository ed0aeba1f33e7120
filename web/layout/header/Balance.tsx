import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { to } from '#web/core/paths.ts'
import { useCount } from '#web/core/moments/use-count.ts'
import { Points } from '#web/ui/points/Points.tsx'
import styles from './Header.module.css'

export function Balance({ points }: { readonly points: number }) {
  const { t, formatNumber } = useText()
  const shown = useCount(points)
  return (
    <Link className={styles.balance} data-balance to={to.points()}>
      <Points amount={formatNumber(shown)} unit={t('kbPoints')} dark />
    </Link>
  )
}
