import { isFormerMember } from '#contract/former-member.ts'
import type { Lesson } from '#contract/lessons.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { to } from '#web/core/paths.ts'
import { useSession } from '#web/core/session.ts'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'

/** For the signed-in who don't own the lesson, while somebody does: a guest's link would only lead to the login page. */
export function WriteToOwner({
  lesson,
}: {
  readonly lesson: Pick<Lesson, 'id' | 'owner' | 'ownerName'>
}) {
  const { t } = useText()
  const person = useSession()
  if (person === null || person._id === lesson.owner || isFormerMember(lesson.ownerName))
    return null
  return (
    <ButtonLink as={Link} icon="mail" to={to.contact(lesson.id)}>
      {t('contactTitle')}
    </ButtonLink>
  )
}
