/** An erased account has no name or profile: it shows as a translated placeholder without a link. */
import { isFormerMember } from '#contract/former-member.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { to } from '#web/core/paths.ts'

export function useNameOf(): (name: string) => string {
  const { t } = useText()
  return (name) => (isFormerMember(name) ? t('formerMember') : name)
}

interface PersonNameProps {
  readonly id: string
  readonly name: string
  /** False for guests, because a profile would only send them to the login page. */
  readonly linked: boolean
}

export function PersonName({ id, name, linked }: PersonNameProps) {
  const nameOf = useNameOf()
  return linked && !isFormerMember(name) ? (
    <Link to={to.profile(id)} dir="auto">
      {name}
    </Link>
  ) : (
    <b dir="auto">{nameOf(name)}</b>
  )
}
