import type { ReactNode, Ref } from 'react'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import styles from '#web/people/accounts/settings/Lines.module.css'

interface SettingsPageProps {
  readonly title: string
  readonly lead: string
  /** Takes the focus after a line with the focused button was removed. */
  readonly heading: Ref<HTMLHeadingElement>
  readonly more?: ReactNode
  readonly children: ReactNode
}

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
