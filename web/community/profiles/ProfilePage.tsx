import type { Profile } from '#contract/profiles.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { ProfileComments } from '#web/community/profiles/ProfileComments.tsx'
import { ProfileCourses, ProfileLessons } from '#web/community/profiles/ProfileItems.tsx'
import type { loader } from '#web/community/profiles/ProfilePage.data.ts'
import { ProfileHead } from '#web/community/profiles/ProfileHead.tsx'
import styles from './Profile.module.css'

const tabs = [
  ['lessons', 'profileTabLessons'],
  ['courses', 'profileTabCourses'],
  ['comments', 'profileTabComments'],
] as const
const parts = { lessons: ProfileLessons, courses: ProfileCourses, comments: ProfileComments }

export default function ProfilePage() {
  const { profile, show, page, blocked } = usePageData<typeof loader>()
  const { t } = useText()
  const Part = parts[show]
  return (
    <>
      <ProfileHead profile={profile} blocked={blocked} />
      <Tabs profile={profile} show={show} />
      <section aria-label={t(show)}>
        <Part profile={profile} page={page} />
      </section>
    </>
  )
}

/** Links, so that each tab has a URL and works without JavaScript. */
function Tabs({ profile, show }: { readonly profile: Profile; readonly show: keyof typeof parts }) {
  const { t, formatNumber } = useText()
  return (
    <nav className={styles.tabs} aria-label={t('profileTabs', { username: profile.username })}>
      {tabs.map(([part, unit]) => (
        <Link
          key={part}
          to={to.profile(profile.id, part)}
          aria-current={part === show ? 'page' : undefined}
          preventScrollReset
          replace
        >
          <b>{formatNumber(profile.counts[part])}</b> {t(unit, { count: profile.counts[part] })}
        </Link>
      ))}
    </nav>
  )
}
