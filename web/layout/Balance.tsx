import { Link } from 'react-router'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { Points } from '#web/ui/Points.tsx'

/** What one has, always in sight; leads to the account book. */
export function Balance({ points }: { readonly points: number }) {
  const { t, formatNumber } = useText()
  return (
    <Link className="balance" to={to.points()}>
      <Points amount={formatNumber(points)} unit={t('kbPoints')} dark />
    </Link>
  )
}
