import { useLocation } from 'react-router'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { to } from '#web/core/paths.ts'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/ui/styles/Empty.module.css'

interface NotFoundPageProps {
  /** The server's message for a missing item. Default: a general one. */
  readonly message?: string | undefined
}

export default function NotFoundPage({ message }: NotFoundPageProps) {
  const { t } = useText()
  const isCourse = useLocation().pathname.startsWith('/course/')
  return (
    <Empty
      drawing="torn"
      as="h1"
      title={message ?? t('notFoundTitle')}
      step={
        <p className={classes('row', styles.waysOn)}>
          <ButtonLink as={Link} kind="main" to={isCourse ? to.courses() : to.lessons()}>
            {t(isCourse ? 'notFoundCourses' : 'notFoundStep')}
          </ButtonLink>
          <ButtonLink as={Link} to={to.home()}>
            {t('notFoundHome')}
          </ButtonLink>
        </p>
      }
    >
      {t(message === undefined ? 'notFoundWhat' : 'lessonGoneWhat')}
    </Empty>
  )
}
