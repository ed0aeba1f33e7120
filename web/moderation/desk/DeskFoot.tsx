import { useText } from '#web/core/i18n.tsx'
import type { DeskCounts } from '#web/moderation/desk/desk-counts.ts'

/** Which version of the product runs; at the foot of every page of the desk, while that can be had. */
export function DeskFoot({ counts }: { readonly counts: DeskCounts | null }) {
  const { t } = useText()
  return counts === null ? null : (
    <p className="quiet num desk-foot">{t('deskVersion', { version: counts.version })}</p>
  )
}
