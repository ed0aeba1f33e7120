import type { ListedPerson } from '#contract/people.ts'
import { useText } from '#web/core/i18n.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './People.module.css'

interface PersonMarksProps {
  readonly person: Pick<ListedPerson, 'role' | 'suspended' | 'unconfirmed'>
}

/** What is unusual about an account. */
export function PersonMarks({ person }: PersonMarksProps) {
  const { t } = useText()
  const { role, suspended, unconfirmed } = person
  return (
    <>
      {role === 'administrator' && (
        <small className={styles.mark}>{t('personAdministrator')}</small>
      )}
      {suspended && (
        <small className={classes(styles.mark, styles.bad)}>{t('deskSuspended')}</small>
      )}
      {unconfirmed && (
        <small className={classes('quiet', styles.mark)}>{t('personUnconfirmed')}</small>
      )}
    </>
  )
}
