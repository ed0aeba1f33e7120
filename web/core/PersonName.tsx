/** Names of people. Whoever erased the account has none: theirs is said in the language of the page, and leads nowhere. */
import { isFormerMember } from '#contract/former-member.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { to } from '#web/core/paths.ts'

/** The name to show for one of an answer. */
export function useNameOf(): (name: string) => string {
  const { t } = useText()
  return (name) => (isFormerMember(name) ? t('formerMember') : name)
}

interface PersonNameProps {
  readonly id: string
  readonly name: string
  /** False for guests, whom the profile's address would only lead to the login. */
  readonly linked: boolean
}

/** A name that leads to the profile. */
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
