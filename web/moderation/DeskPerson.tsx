import { Link } from 'react-router'
import type { ProfileCard } from '#contract/profiles.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { Face } from '#web/ui/Face.tsx'

interface DeskPersonProps {
  readonly person: ProfileCard
  readonly suspended?: boolean | undefined
}

/** A person in a row: picture, name, and whether they are suspended. */
export function DeskPerson({ person, suspended }: DeskPersonProps) {
  const { t } = useText()
  return (
    <span className="who">
      <Face src={person.imageUrl} />
      <span>
        <Link to={to.profile(person.id)}>{person.userName}</Link>
        {suspended && <small className="suspended">{t('deskSuspended')}</small>}
      </span>
    </span>
  )
}
