import type { ReactNode } from 'react'
import type { AuthorRecord, OwnerItems } from '#contract/items.ts'
import type { Lesson } from '#contract/lessons.ts'
import { OWNER_ITEMS_COUNTED as MOST, UNLOCKS_COUNTED } from '#contract/limits.ts'
import { useText } from '#web/core/i18n.tsx'
import { PersonName } from '#web/core/PersonName.tsx'
import { Time } from '#web/core/time/Time.tsx'
import { Foreign } from '#web/items/shared/Foreign.tsx'
import { TagLink } from '#web/items/shared/TagLink.tsx'
import { Face } from '#web/ui/Face.tsx'
import { classes } from '#web/ui/classes.ts'
import tagsStyles from '#web/items/shared/Tags.module.css'
import styles from '#web/ui/styles/Item.module.css'
import tagStyles from '#web/items/shared/Tag.module.css'

type BylineItem = Pick<
  Lesson,
  'owner' | 'ownerName' | 'ownerImage' | 'ownerItems' | 'date' | 'language'
> & {
  /** Present only while the item is locked. */
  readonly author?: AuthorRecord | undefined
}

interface BylineProps {
  readonly item: BylineItem
  /** Actions that concern the author. */
  readonly children?: ReactNode
}

export function Byline({ item, children }: BylineProps) {
  const published = usePublished(item.ownerItems)
  return (
    <>
      <p data-byline className={styles.byline}>
        <Face src={item.ownerImage} eager />
        <span>
          <PersonName name={item.ownerName} />
          {children}
          <br />
          <span className="quiet small">
            {item.author === undefined && published.length > 0 && `${published.join(', ')} · `}
            <Time date={item.date} />
          </span>{' '}
          <Foreign language={item.language} />
        </span>
      </p>
      {item.author !== undefined && <AuthorFacts item={item} author={item.author} />}
    </>
  )
}

/** Returns texts such as "11 lessons" and "1 course"; empty for former members. */
function usePublished({ lessons, courses }: OwnerItems): string[] {
  const { t } = useText()
  return [
    lessons > 0 &&
      t(lessons > MOST ? 'lessonsOver' : 'lessonCount', { total: Math.min(lessons, MOST) }),
    courses > 0 &&
      t(courses > MOST ? 'coursesOver' : 'courseCount', { total: Math.min(courses, MOST) }),
  ].filter((part) => part !== false)
}

/** For people who decide whether to unlock: what else the author published, and how it was received. */
function AuthorFacts({
  item,
  author,
}: {
  readonly item: BylineItem
  readonly author: AuthorRecord
}) {
  const { t, formatMonth, listParts } = useText()
  const { lessons, courses } = item.ownerItems
  const { since, tags, unlocks, rating } = author
  const published = usePublished(item.ownerItems)
  const listed = (words: readonly string[]) =>
    listParts(words)
      .map(({ text }) => text)
      .join('')
  const name = item.ownerName
  if (lessons === 1 && courses === 0)
    return <p className={styles.record}>{t('authorFirst', { name })}</p>
  return (
    <p className={styles.record}>
      {t('authorPublished', {
        name,
        items: listed(published),
        since: formatMonth(since, 'UTC'),
        count: tags.length,
        about: listed(tags),
      })}
      {unlocks > 0 &&
        ` ${t('authorUnlocked', {
          count: Math.min(unlocks, UNLOCKS_COUNTED),
          more: Number(unlocks > UNLOCKS_COUNTED),
          rated: Number(rating !== null),
          rating: rating ?? 0,
        })}`}
    </p>
  )
}

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
