/** What a lesson's and a course's own page say of it. */
import type { Lesson } from '#contract/lessons.schemas.ts'
import { useText } from '#web/core/i18n.tsx'
import { PersonName } from '#web/core/PersonName.tsx'
import { useSession } from '#web/core/session.ts'
import { textLanguage } from '#web/core/text-language.ts'
import { Time } from '#web/core/Time.tsx'
import { Face } from '#web/ui/Face.tsx'

interface BylineProps {
  readonly item: Pick<Lesson, 'owner' | 'ownerName' | 'ownerImage' | 'date'>
}

/** Who made it, and when. */
export function Byline({ item }: BylineProps) {
  // Profiles are for the signed-in: a guest's link would only lead to the login page.
  const isGuest = useSession() === null
  return (
    <p className="byline">
      <Face src={item.ownerImage} eager />
      <span>
        <PersonName id={item.owner} name={item.ownerName} linked={!isGuest} />
        <br />
        <span className="quiet small">
          <Time date={item.date} />
        </span>
      </span>
    </p>
  )
}

/** Its tags; nothing without any. */
export function TagList({ tags }: { readonly tags: readonly string[] }) {
  const { t } = useText()
  if (tags.length === 0) return null
  return (
    <ul className="tags" aria-label={t('tags')}>
      {tags.map((tag) => (
        <li key={tag} className="tag" lang={textLanguage(tag)} dir="auto">
          {tag}
        </li>
      ))}
    </ul>
  )
}
