import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { to } from '#web/core/paths.ts'
import { Points } from '#web/ui/points/Points.tsx'

interface BalanceProps {
  readonly personId: string
  readonly points: number
}

/** What one has, always in sight; leads to the profile, and from there to the account book. */
export function Balance({ personId, points }: BalanceProps) {
  const { t, formatNumber } = useText()
  return (
    <Link className="balance" to={to.profile(personId)}>
      <Points amount={formatNumber(points)} unit={t('kbPoints')} dark />
    </Link>
  )
}
