import { Rich, useText } from '#web/core/i18n.tsx'
import { useSettings } from '#web/core/settings.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Layout.module.css'

export function SuspendedBanner() {
  const { t } = useText()
  const { mail } = useSettings()
  return (
    <aside className={styles.suspension} aria-label={t('suspensionTitle')}>
      <div className={classes('wrap', styles.wrap)}>
        <Icon name="lock" />
        <p>
          <Rich
            id="suspensionWhat"
            values={{ mail }}
            components={{ write: <a href={`mailto:${mail}`} /> }}
          />
        </p>
      </div>
    </aside>
  )
}
