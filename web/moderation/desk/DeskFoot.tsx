import { useText } from '#web/core/i18n.tsx'
import type { DeskCounts } from '#web/moderation/desk/desk-counts.ts'
import { classes } from '#web/ui/classes.ts'
import styles from './Desk.module.css'

/** Which version of the product runs; at the foot of every page of the desk, while that can be had. */
export function DeskFoot({ counts }: { readonly counts: DeskCounts | null }) {
  const { t } = useText()
  return counts === null ? null : (
    <p className={classes('quiet num', styles.deskFoot)}>
      {t('deskVersion', { version: counts.version })}
    </p>
  )
}
