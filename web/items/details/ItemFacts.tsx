/** What a lesson's and a course's own page say of it. */
import type { ReactNode } from 'react'
import type { OwnerItems } from '#contract/items.ts'
import type { Lesson } from '#contract/lessons.ts'
import { OWNER_ITEMS_COUNTED as MOST } from '#contract/limits.ts'
import { useText } from '#web/core/i18n.tsx'
import { PersonName } from '#web/core/PersonName.tsx'
import { useSession } from '#web/core/session.ts'
import { Time } from '#web/core/time/Time.tsx'
import { Foreign } from '#web/items/Foreign.tsx'
import { TagLink } from '#web/items/TagLink.tsx'
import { Face } from '#web/ui/Face.tsx'
import { classes } from '#web/ui/classes.ts'
import tagsStyles from '#web/items/Tags.module.css'
import styles from '#web/ui/styles/Item.module.css'
import tagStyles from '#web/items/Tag.module.css'

interface BylineProps {
  readonly item: Pick<
    Lesson,
    'owner' | 'ownerName' | 'ownerImage' | 'ownerItems' | 'date' | 'language'
  >
  /** What may be done with who made it. */
  readonly children?: ReactNode
}

/** Who made it, what else they have made, and when. */
export function Byline({ item, children }: BylineProps) {
  // Profiles are for the signed-in: a guest's link would only lead to the login page.
  const isGuest = useSession() === null
  return (
    <p data-byline className={styles.byline}>
      <Face src={item.ownerImage} eager />
      <span>
        <PersonName id={item.owner} name={item.ownerName} linked={!isGuest} />
        {children}
        <br />
        <span className="quiet small">
          <Proof items={item.ownerItems} />
          <Time date={item.date} />
        </span>{' '}
        <Foreign language={item.language} />
      </span>
    </p>
  )
}

/** "11 lessons, 1 course"; nothing for somebody who has left. */
function Proof({ items: { lessons, courses } }: { readonly items: OwnerItems }) {
  const { t } = useText()
  const said = [
    lessons > 0 &&
      t(lessons > MOST ? 'lessonsOver' : 'lessonCount', { total: Math.min(lessons, MOST) }),
    courses > 0 &&
      t(courses > MOST ? 'coursesOver' : 'courseCount', { total: Math.min(courses, MOST) }),
  ].filter((part) => part !== false)
  if (said.length === 0) return null
  return <>{said.join(', ')} · </>
}

/** Its tags; nothing without any. */
export function TagList({ tags }: { readonly tags: readonly string[] }) {
  const { t } = useText()
  if (tags.length === 0) return null
  return (
    <ul className={classes(tagsStyles.tags, styles.tags)} aria-label={t('tags')}>
      {tags.map((tag) => (
        <li key={tag}>
          <TagLink tag={tag} className={tagStyles.tag} />
        </li>
      ))}
    </ul>
  )
}
