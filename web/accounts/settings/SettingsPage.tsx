import type { ReactNode, Ref } from 'react'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import styles from '#web/accounts/settings/Lines.module.css'

interface SettingsPageProps {
  readonly title: string
  readonly lead: string
  /** The heading takes the focus when the line is gone whose button had it. */
  readonly heading: Ref<HTMLHeadingElement>
  /** Below the lead. */
  readonly more?: ReactNode
  readonly children: ReactNode
}

/** A page below the account for one long list of settings. */
export function SettingsPage({ title, lead, heading, more, children }: SettingsPageProps) {
  const { t } = useText()
  return (
    <div className={styles.linePage}>
      <div>
        <p className={styles.back}>
          <Link to={to.account()}>{t('accountTitle')}</Link>
        </p>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <p className="quiet">{lead}</p>
        {more}
      </div>
      {children}
    </div>
  )
}
