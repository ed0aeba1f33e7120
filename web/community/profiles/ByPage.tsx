import { useState } from 'react'
import type { PublicPage } from '#contract/profiles.ts'
import { useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { useSession } from '#web/core/session.ts'
import type { loader } from '#web/community/profiles/ByPage.data.ts'
import { ProfileCourses, ProfileLessons } from '#web/community/profiles/ProfileItems.tsx'
import { ProfileTabs } from '#web/community/profiles/ProfileTabs.tsx'
import { FollowButton } from '#web/items/follows/FollowButton.tsx'
import { RatingMark } from '#web/items/ratings/RatingMark.tsx'
import { FeedLink } from '#web/items/shared/list/FeedLink.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Face } from '#web/ui/Face.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Profile.module.css'

const tabs = ['lessons', 'courses'] as const
const parts = { lessons: ProfileLessons, courses: ProfileCourses }

/** What a person publishes, for everybody. */
export default function ByPage() {
  const { person, show, page } = usePageData<typeof loader>()
  const { t } = useText()
  const Part = parts[show]
  const { userName: username, counts } = person
  return (
    <>
      <ByHead key={person.id} person={person} />
      <ProfileTabs
        username={username}
        counts={counts}
        tabs={tabs}
        show={show}
        href={(tab) => to.by(username, tab)}
      />
      <section aria-label={t(show)}>
        <Part
          profile={{ ...person, username }}
          page={page}
          href={(number) => to.by(username, show, number)}
        />
      </section>
    </>
  )
}

function ByHead({ person }: { readonly person: PublicPage }) {
  const { t } = useText()
  const { userName: username, about, imageUrl, ratings } = person
  const [followers, setFollowers] = useState(person.followers)
  return (
    <div className={styles.person}>
      <Face src={imageUrl} eager />
      <div>
        <h1 dir="auto">{username}</h1>
        {about !== '' && (
          <p className={styles.about} dir="auto">
            {about}
          </p>
        )}
        <p className={classes('row', 'quiet', styles.figures)}>
          <RatingMark item={{ rating: person.rating, ratings }} roomy />
          <span role="status">{t('followers', { count: followers })}</span>
        </p>
        {!person.public && (
          <p className={classes('row', styles.row)}>
            <Icon name="lock" />
            {t('byHidden')}
          </p>
        )}
        <Acts person={person} onFollow={setFollowers} />
      </div>
    </div>
  )
}

interface ActsProps {
  readonly person: PublicPage
  readonly onFollow: (followers: number) => void
}

function Acts({ person, onFollow }: ActsProps) {
  const { id, userName: username } = person
  const { t, locale } = useText()
  const viewer = useSession()
  const [following, setFollowing] = useState(person.following)
  return (
    <p className={classes('row', styles.row)}>
      {viewer === null && (
        <ButtonLink as={Link} icon="plus" to={to.login(to.by(username))}>
          {t('follow')}
        </ButtonLink>
      )}
      {viewer?._id === id && (
        <ButtonLink as={Link} icon="pen" to={to.account()}>
          {t('profileEdit')}
        </ButtonLink>
      )}
      {following !== undefined && viewer?.suspended !== true && (
        <FollowButton
          person={person}
          following={following}
          onChange={(now) => {
            setFollowing(now.following)
            onFollow(now.followers)
          }}
        />
      )}
      {viewer !== null && (
        <ButtonLink as={Link} to={to.profile(id)}>
          {t('byMore')}
        </ButtonLink>
      )}
      <FeedLink href={to.feedOfAuthor(id, locale)} />
    </p>
  )
}
