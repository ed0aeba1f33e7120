import type { ProfileCard } from '#contract/profile-card.ts'
import { useText } from '#web/core/i18n.tsx'
import { PersonName } from '#web/core/PersonName.tsx'
import { Face } from '#web/ui/Face.tsx'
import styles from './Desk.module.css'

interface DeskPersonProps {
  readonly person: ProfileCard
  readonly suspended?: boolean | undefined
}

export function DeskPerson({ person, suspended }: DeskPersonProps) {
  const { t } = useText()
  return (
    <span className={styles.deskPerson}>
      <Face src={person.imageUrl} />
      <span>
        <PersonName name={person.userName} />
        {suspended && <small className={styles.suspended}>{t('deskSuspended')}</small>}
      </span>
    </span>
  )
}
