/** An erased account has no name or page: it shows as a translated placeholder without a link. */
import { isFormerMember } from '#contract/former-member.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { to } from '#web/core/paths.ts'

export function useNameOf(): (name: string) => string {
  const { t } = useText()
  return (name) => (isFormerMember(name) ? t('formerMember') : name)
}

/** Links to the public page. */
export function PersonName({ name }: { readonly name: string }) {
  const nameOf = useNameOf()
  return isFormerMember(name) ? (
    <b dir="auto">{nameOf(name)}</b>
  ) : (
    <Link to={to.by(name)} dir="auto">
      {name}
    </Link>
  )
}
