import { Link } from 'react-router'
import type { MessageKey } from '#contract/messages/messages.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { Icon, type IconName } from '#web/ui/Icon.tsx'

const links: readonly (readonly [path: string, icon: IconName, key: MessageKey])[] = [
  [to.account(), 'user', 'navAccount'],
  [to.points(), 'list', 'navPoints'],
  [to.yourLessons(), 'book', 'navYourLessons'],
  [to.boughtLessons(), 'check', 'navBoughtLessons'],
  [to.logout(), 'out', 'navLogout'],
]

/** What belongs to the signed-in person: in the menu on large screens, in the sheet on small ones. */
export function PersonLinks() {
  const { t } = useText()
  return links.map(([path, icon, key]) => (
    <Link key={path} to={path}>
      <Icon name={icon} />
      {t(key)}
    </Link>
  ))
}
