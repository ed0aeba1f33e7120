import { useState } from 'react'
import type { Followed } from '#contract/follows.ts'
import { useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { PersonName } from '#web/core/PersonName.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { Time } from '#web/core/time/Time.tsx'
import { FollowButton } from '#web/items/follows/FollowButton.tsx'
import type { loader } from '#web/items/follows/FollowedPage.data.ts'
import { PageLinks } from '#web/layout/paging/PageLinks.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { Face } from '#web/ui/Face.tsx'
import { Head } from '#web/ui/Head.tsx'
import styles from './FollowedPage.module.css'

/** Unfollowed people stay in the list until the user leaves, so that they can be followed again. */
export default function FollowedPage() {
  const { page, pages, total, people } = usePageData<typeof loader>()
  const { t } = useText()
  return (
    <>
      <Head title={t('followedTitle')} as="h1" />
      {total === 0 ? (
        <Empty
          drawing="talk"
          title={t('followedNone')}
          step={
            <ButtonLink as={Link} kind="main" to={to.lessons()}>
              {t('browseLessons')}
            </ButtonLink>
          }
        >
          {t('followedNoneWhat')}
        </Empty>
      ) : (
        <ul className={styles.followed}>
          {people.map((person) => (
            <Line key={person.id} person={person} />
          ))}
        </ul>
      )}
      <PageLinks page={page} pages={pages} href={(next) => to.followed(next)} />
    </>
  )
}

function Line({ person }: { readonly person: Followed }) {
  const { t } = useText()
  const [following, setFollowing] = useState(true)
  return (
    <li>
      <Face src={person.imageUrl} />
      <p>
        <PersonName name={person.userName} />
        <span className="quiet small">
          {t('followedSince')} <Time date={person.date} form="day" />
        </span>
      </p>
      <FollowButton
        person={person}
        following={following}
        onChange={(now) => setFollowing(now.following)}
      />
    </li>
  )
}
