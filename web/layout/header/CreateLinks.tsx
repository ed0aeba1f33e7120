import { useLocation } from 'react-router'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { to } from '#web/core/paths.ts'
import { Icon } from '#web/ui/Icon.tsx'

export function CreateLinks() {
  const { t } = useText()
  const { pathname } = useLocation()
  const here = (path: string) => (pathname === path ? 'page' : undefined)
  return (
    <>
      <Link to={to.createLesson()} aria-current={here(to.createLesson())}>
        <Icon name="page" />
        {t('navCreateLesson')}
      </Link>
      <Link to={to.createCourse()} aria-current={here(to.createCourse())}>
        <Icon name="book" />
        {t('navCreateCourse')}
      </Link>
    </>
  )
}
