import { useLocation } from 'react-router'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { to } from '#web/core/paths.ts'
import { useSession } from '#web/core/session.ts'

/** Links to home and the lists. On an item's page the list of its kind is marked as current. */
export function MainLinks() {
  const { t } = useText()
  const { pathname } = useLocation()
  const isAdministrator = useSession()?.role === 'administrator'
  const here = (path: string, below?: string) => {
    if (pathname === path) return 'page'
    return below !== undefined && pathname.startsWith(below) ? 'true' : undefined
  }
  return (
    <>
      <Link to={to.home()} aria-current={here(to.home())}>
        {t(isAdministrator ? 'navAdmin' : 'navHome')}
      </Link>
      <Link to={to.lessons()} aria-current={here(to.lessons(), '/lesson/details/')}>
        {t('navLessons')}
      </Link>
      <Link to={to.courses()} aria-current={here(to.courses(), '/course/details/')}>
        {t('navCourses')}
      </Link>
      {isAdministrator && (
        <>
          <Link to={to.comments()} aria-current={here(to.comments())}>
            {t('navComments')}
          </Link>
          <Link to={to.desk()} aria-current={here(to.desk(), '/admin/')}>
            {t('navDesk')}
          </Link>
        </>
      )}
    </>
  )
}
