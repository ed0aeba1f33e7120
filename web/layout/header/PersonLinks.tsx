import { useLocation } from 'react-router'
import type { MessageKey } from '#contract/messages/messages.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { to } from '#web/core/paths.ts'
import { useUnreadCount } from '#web/core/unread-count.ts'
import { UnreadBadge } from '#web/layout/header/UnreadBadge.tsx'
import { Icon, type IconName } from '#web/ui/Icon.tsx'

type Line = readonly [path: string, icon: IconName, key: MessageKey]

/** Notices are missing here, because their bell is next to the menu on every screen. */
const groupsOf = (personId: string): readonly (readonly [MessageKey, readonly Line[]])[] => [
  [
    'navLearning',
    [
      [to.boughtLessons(), 'check', 'navBoughtLessons'],
      [to.boughtCourses(), 'check', 'navBoughtCourses'],
      [to.liked(), 'heart', 'navLiked'],
      [to.notes(), 'quote', 'navNotes'],
      [to.certificates(), 'book', 'navCertificates'],
    ],
  ],
  [
    'navPublishing',
    [
      [to.yourLessons(), 'page', 'navYourLessons'],
      [to.yourCourses(), 'book', 'navYourCourses'],
      [to.author(), 'eye', 'navStatistics'],
      [to.points(), 'list', 'navPoints'],
    ],
  ],
  [
    'navYou',
    [
      [to.profile(personId), 'user', 'navProfile'],
      [to.account(), 'pen', 'navEditProfile'],
      [to.userCenter(), 'talk', 'navUserCenter'],
      [to.report(), 'flag', 'navReport'],
      [to.logout(), 'out', 'navLogout'],
    ],
  ],
]

export function PersonLinks({ personId }: { readonly personId: string }) {
  const { t } = useText()
  const { pathname } = useLocation()
  const unread = useUnreadCount()
  return groupsOf(personId).map(([name, lines]) => (
    <div key={name} role="group" aria-label={t(name)}>
      <p aria-hidden="true">{t(name)}</p>
      {lines.map(([path, icon, key]) => (
        <Link key={path} to={path} aria-current={pathname === path ? 'page' : undefined}>
          <Icon name={icon} />
          {t(key)}
          {key === 'navUserCenter' && <UnreadBadge count={unread} />}
        </Link>
      ))}
    </div>
  ))
}
