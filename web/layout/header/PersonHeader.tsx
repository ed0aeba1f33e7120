import { useEffect, useRef } from 'react'
import type { Person } from '#contract/render.ts'
import { useText } from '#web/core/i18n.tsx'
import { announce } from '#web/core/moments/announce.ts'
import { useNoticeCount } from '#web/core/notice-count.ts'
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
import { classes } from '#web/ui/classes.ts'
import styles from './Header.module.css'

export interface PersonHeaderProps {
  readonly person: Person
  /** Selects the buttons of the bar, the menus that they open, or the sheet of small screens. */
  readonly place: 'bar' | 'menus' | 'sheet'
}

/** The largest count for which the bar has room. */
const MOST_SHOWN = 99

export function PersonHeader({ person, place }: PersonHeaderProps) {
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
      <Bell />
      <MessagesLink />
      <button
        type="button"
        className={classes(styles.barBtn, styles.wide)}
        popoverTarget="menu-create"
      >
        <Icon name="plus" />
        {t('navCreate')}
      </button>
      <Balance key={person._id} points={person.kbPoints} />
      <button type="button" className={classes(styles.barBtn, styles.wide)} popoverTarget="menu-me">
        <span className="sr">{t('navAccountOf', { username: person.username })} </span>
        <Face src={person.imageUrl} eager />
        <Icon name="down" />
      </button>
    </>
  )
}

function Bell() {
  const { t, formatNumber } = useText()
  const unread = useNoticeCount()
  const last = useRef(unread)
  useEffect(() => {
    // Announces new notices politely to screen readers, once for each increase.
    if (unread > last.current) announce(t('noticesUnread', { count: unread }))
    last.current = unread
  }, [unread, t])
  return (
    <Link
      className={classes(styles.barBtn, styles.messages)}
      to={to.notices()}
      aria-label={t('noticesBell', { count: unread })}
    >
      <Icon name="bell" />
      {unread > 0 && (
        <span className={styles.unread} aria-hidden="true">
          {formatNumber(Math.min(unread, MOST_SHOWN))}
          {unread > MOST_SHOWN && '+'}
        </span>
      )}
    </Link>
  )
}

function MessagesLink() {
  const { t } = useText()
  const unread = useUnreadCount()
  return (
    <Link className={classes(styles.barBtn, styles.messages)} to={to.userCenter()}>
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
