import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import styles from './Profile.module.css'

const units = {
  lessons: 'profileTabLessons',
  courses: 'profileTabCourses',
  comments: 'profileTabComments',
} as const
export type ProfileTab = keyof typeof units

interface ProfileTabsProps<Tab extends ProfileTab> {
  readonly username: string
  readonly counts: Readonly<Record<Tab, number>>
  readonly tabs: readonly Tab[]
  readonly show: Tab
  readonly href: (tab: Tab) => string
}

/** Links, so that each tab has a URL and works without JavaScript. */
export function ProfileTabs<Tab extends ProfileTab>({
  username,
  counts,
  tabs,
  show,
  href,
}: ProfileTabsProps<Tab>) {
  const { t, formatNumber } = useText()
  return (
    <nav className={styles.tabs} aria-label={t('profileTabs', { username })}>
      {tabs.map((tab) => (
        <Link
          key={tab}
          to={href(tab)}
          aria-current={tab === show ? 'page' : undefined}
          preventScrollReset
          replace
        >
          <b>{formatNumber(counts[tab])}</b> {t(units[tab], { count: counts[tab] })}
        </Link>
      ))}
    </nav>
  )
}
