import type { Factors } from '#contract/factors.ts'
import { useText } from '#web/core/i18n.tsx'

/** Warns before the last second factor of somebody goes who must have one. */
export function DemandedFactor({ of }: { readonly of: Factors['demandedOf'] }) {
  const { t } = useText()
  if (of === null) return null
  return (
    <p>
      <b>{t(of === 'all' ? 'factorDemandedOfAllRemove' : 'factorDemandedRemove')}</b>
    </p>
  )
}
