import type { Factors } from '#contract/factors.ts'
import { useText } from '#web/core/i18n.tsx'

/** Warns people who are required to have a second factor before they remove their last one. */
export function DemandedFactor({ of }: { readonly of: Factors['demandedOf'] }) {
  const { t } = useText()
  if (of === null) return null
  return (
    <p>
      <b>{t(of === 'all' ? 'factorDemandedOfAllRemove' : 'factorDemandedRemove')}</b>
    </p>
  )
}
