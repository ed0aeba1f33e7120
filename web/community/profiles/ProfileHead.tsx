import { useEffect, useRef, useState } from 'react'
import type { Following } from '#contract/follows.ts'
import { isOwnProfile, type OwnProfile, type Profile } from '#contract/profiles.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { to } from '#web/core/paths.ts'
import { useSession } from '#web/core/session.ts'
import { FollowButton } from '#web/items/follows/FollowButton.tsx'
import { BlockButton } from '#web/items/flags/BlockButton.tsx'
import { BlockedLine } from '#web/items/flags/BlockedLine.tsx'
import { FeedLink } from '#web/items/shared/list/FeedLink.tsx'
import { ReportButton } from '#web/items/flags/ReportButton.tsx'
import { SignOutButton } from '#web/items/flags/SignOutButton.tsx'
import { SuspendButton } from '#web/items/flags/SuspendButton.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Face } from '#web/ui/Face.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Points } from '#web/ui/points/Points.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Profile.module.css'
import headerStyles from '#web/layout/header/Header.module.css'

interface HeadProps {
  readonly profile: Profile
  /** Whether the signed-in user has blocked this person. */
  readonly blocked: boolean
}

export function ProfileHead({ profile, blocked }: HeadProps) {
  return (
    <div className={styles.person}>
      <Face src={profile.imageUrl} eager />
      <div>
        <h1 dir="auto">{profile.username}</h1>
        {isOwnProfile(profile) ? (
          <OwnLines profile={profile} />
        ) : (
          <OthersLines key={profile.id} profile={profile} blocked={blocked} />
        )}
      </div>
    </div>
  )
}

function OthersLines({ profile, blocked: before }: HeadProps) {
  const { t, locale } = useText()
  const viewer = useSession()
  const isAdministrator = viewer?.role === 'administrator'
  const [blocked, setBlocked] = useState(before)
  const [{ following, followers }, setFollow] = useState<Following>(profile)
  const announced = useRef(blocked)
  useEffect(() => {
    if (announced.current === blocked) return
    announced.current = blocked
    // The pressed button is gone, so the page takes the focus.
    document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true })
  }, [blocked])
  const block = () => {
    setBlocked(true)
    // Blocking ends following in both directions.
    setFollow({ following: false, followers: followers - (following ? 1 : 0) })
  }
  const { id, email, username, imageUrl, suspended = false } = profile
  const card = { id, userName: username, imageUrl }
  return (
    <>
      {email !== undefined && (
        <p>
          <a href={`mailto:${email}`}>{email}</a>
        </p>
      )}
      <p className="quiet" role="status">
        {t('followers', { count: followers })}
      </p>
      {suspended && (
        <p className={classes('row', styles.row)}>
          <Icon name="lock" />
          {t('profileSuspended')}
        </p>
      )}
      {blocked && <BlockedLine className={styles.blocked} other={card} onChange={setBlocked} />}
      <p className={classes('row', styles.row)}>
        <ButtonLink as={Link} kind="main" icon="talk" to={to.chat(username)}>
          {t('profileMessage')}
        </ButtonLink>
        {!blocked && viewer?.suspended !== true && (
          <FollowButton person={card} following={following} onChange={setFollow} />
        )}
        {isAdministrator && (
          <ButtonLink as={Link} icon="pen" to={to.person(id)}>
            {t('profileDesk')}
          </ButtonLink>
        )}
        {isAdministrator && <SuspendButton person={card} suspended={suspended} />}
        {isAdministrator && <SignOutButton person={card} />}
        {!blocked && viewer?.suspended !== true && <BlockButton person={card} onBlocked={block} />}
        <ReportButton kind="profile" id={id} name={username} ownerId={id} />
        <FeedLink href={to.feedOfAuthor(id, locale)} />
      </p>
    </>
  )
}

function OwnLines({ profile }: { readonly profile: OwnProfile }) {
  const { t, formatNumber, locale } = useText()
  // The session is updated by other tabs, so it is newer.
  const points = useSession()?.kbPoints ?? profile.kbPoints
  const email = profile.email ?? ''
  return (
    <>
      <p className="quiet">
        {t(profile.hideEmail ? 'profileEmailHidden' : 'profileEmailOwn', { email })}
        {!profile.emailConfirmed && ` (${t('profileEmailUnconfirmed')})`}
      </p>
      <p className="quiet">
        {t('followers', { count: profile.followers })} ·{' '}
        <Link to={to.followed()}>{t('followedTitle')}</Link>
      </p>
      <p className={classes('row', styles.row)}>
        <Link
          className={classes(headerStyles.balance, styles.balance)}
          data-balance
          to={to.points()}
        >
          <Points amount={formatNumber(points)} unit={t('kbPoints')} dark />
        </Link>
        <Link to={to.points()}>{t('profileBook')}</Link>
        <Link to={to.certificates()}>{t('navCertificates')}</Link>
        <Link to={to.by(profile.username)}>{t('profilePublic')}</Link>
        <FeedLink href={to.feedOfAuthor(profile.id, locale)} />
        <ButtonLink as={Link} icon="pen" className={classes('push', styles.push)} to={to.account()}>
          {t('profileEdit')}
        </ButtonLink>
      </p>
    </>
  )
}
