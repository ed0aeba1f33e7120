import { useText } from '#web/core/i18n.tsx'
import { Points } from '#web/ui/points/Points.tsx'

const HALVES = ['left', 'right'] as const

/** The band of a book that was unlocked this moment: it tears and slides off, once. Decoration. */
export function TornBand({ price }: { readonly price: number }) {
  const { t, formatNumber } = useText()
  return HALVES.map((half) => (
    <span key={half} className={`band torn ${half}`} aria-hidden="true">
      <Points amount={formatNumber(price)} unit={t('kbPoints')} dark />
    </span>
  ))
}
