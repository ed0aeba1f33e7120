import { useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { ProfileComments } from '#web/community/profiles/ProfileComments.tsx'
import { ProfileCourses, ProfileLessons } from '#web/community/profiles/ProfileItems.tsx'
import type { loader } from '#web/community/profiles/ProfilePage.data.ts'
import { ProfileHead } from '#web/community/profiles/ProfileHead.tsx'
import { ProfileTabs } from '#web/community/profiles/ProfileTabs.tsx'

const tabs = ['lessons', 'courses', 'comments'] as const
const parts = { lessons: ProfileLessons, courses: ProfileCourses, comments: ProfileComments }

export default function ProfilePage() {
  const { profile, show, page, blocked } = usePageData<typeof loader>()
  const { t } = useText()
  const Part = parts[show]
  return (
    <>
      <ProfileHead profile={profile} blocked={blocked} />
      <ProfileTabs
        username={profile.username}
        counts={profile.counts}
        tabs={tabs}
        show={show}
        href={(tab) => to.profile(profile.id, tab)}
      />
      <section aria-label={t(show)}>
        <Part
          profile={profile}
          page={page}
          href={(number) => to.profile(profile.id, show, number)}
        />
      </section>
    </>
  )
}
