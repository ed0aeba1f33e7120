import { useEffect } from 'react'
import type { Person } from '#contract/render.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { useUnreadCount } from '#web/core/unread-count.ts'
import { Balance } from '#web/layout/header/Balance.tsx'
import { CreateLinks } from '#web/layout/header/CreateLinks.tsx'
import { PersonLinks } from '#web/layout/header/PersonLinks.tsx'
import { UnreadBadge } from '#web/layout/header/UnreadBadge.tsx'
import { Face } from '#web/ui/Face.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Menu } from '#web/ui/Menu.tsx'

export interface PersonHeaderProps {
  readonly person: Person
  /** In the bar, as the menus that its buttons open, or in the sheet of small screens. */
  readonly place: 'bar' | 'menus' | 'sheet'
}

/** What the header shows of the signed-in person, at one of its places. */
export function PersonHeader({ person, place }: PersonHeaderProps) {
  // What was told without a network goes now.
  useEffect(() => void import('#web/progress/sending.ts').then(({ begin }) => begin()), [])
  switch (place) {
    case 'bar':
      return <PersonButtons person={person} />
    case 'menus':
      return <PersonMenus person={person} />
    case 'sheet':
      return (
        <>
          <hr />
          <CreateLinks />
          <hr />
          <PersonLinks personId={person._id} />
        </>
      )
  }
}

function PersonButtons({ person }: { readonly person: Person }) {
  const { t } = useText()
  return (
    <>
      <MessagesLink />
      <button type="button" className="bar-btn wide" popoverTarget="menu-create">
        <Icon name="plus" />
        {t('navCreate')}
      </button>
      <Balance key={person._id} personId={person._id} points={person.kbPoints} />
      <button type="button" className="bar-btn wide" popoverTarget="menu-me">
        <span className="sr">{t('navAccountOf', { username: person.username })} </span>
        <Face src={person.imageUrl} eager />
        <Icon name="down" />
      </button>
    </>
  )
}

/** To the conversations, with how many messages wait; on every screen. */
function MessagesLink() {
  const { t } = useText()
  const unread = useUnreadCount()
  return (
    <Link className="bar-btn messages" to={to.userCenter()}>
      <Icon name="talk" />
      <span className="sr">{t('navMessages')} </span>
      <UnreadBadge count={unread} />
    </Link>
  )
}

function PersonMenus({ person }: { readonly person: Person }) {
  const { t } = useText()
  return (
    <>
      <Menu id="menu-create" label={t('navCreate')}>
        <CreateLinks />
      </Menu>
      <Menu id="menu-me" label={t('navAccountOf', { username: person.username })}>
        <PersonLinks personId={person._id} />
      </Menu>
    </>
  )
}
