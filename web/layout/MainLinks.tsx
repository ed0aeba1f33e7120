import { Link, useLocation } from 'react-router'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { useSession } from '#web/core/session.ts'

/** Home and the lists; the current place is marked. */
export function MainLinks() {
  const { t } = useText()
  const { pathname } = useLocation()
  const isAdministrator = useSession()?.role === 'administrator'
  const here = (path: string) => (pathname === path ? 'page' : undefined)
  return (
    <>
      <Link to={to.home()} aria-current={here(to.home())}>
        {t(isAdministrator ? 'navAdmin' : 'navHome')}
      </Link>
      <Link to={to.lessons()} aria-current={here(to.lessons())}>
        {t('navLessons')}
      </Link>
    </>
  )
}
