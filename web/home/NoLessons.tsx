import { useHere } from '#web/core/here.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { to } from '#web/core/paths.ts'
import { useSession } from '#web/core/session.ts'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/ui/styles/Empty.module.css'

/** Shown before the first lesson is published. */
export function NoLessons() {
  const { t } = useText()
  const here = useHere()
  const person = useSession()
  return (
    <section className={classes('wrap', styles.empty)}>
      <p className={styles.sayIt}>{t('homeEmpty')}</p>
      <ButtonLink
        as={Link}
        kind="main"
        to={person === null ? to.register(here) : to.createLesson()}
      >
        {t(person === null ? 'navRegister' : 'navCreateLesson')}
      </ButtonLink>
    </section>
  )
}
