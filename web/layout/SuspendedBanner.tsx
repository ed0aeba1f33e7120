import { Rich, useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Layout.module.css'

export function SuspendedBanner() {
  const { t } = useText()
  return (
    <aside className={styles.suspension} aria-label={t('suspensionTitle')}>
      <div className={classes('wrap', styles.wrap)}>
        <Icon name="lock" />
        <p>
          <Rich id="suspensionWhat" components={{ notices: <Link to={to.notices()} /> }} />
        </p>
      </div>
    </aside>
  )
}
