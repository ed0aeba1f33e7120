import { type ReactNode, useEffect, useEffectEvent } from 'react'
import type { MessageKey } from '#contract/messages/messages.ts'
import type { LessonCard } from '#contract/lessons.ts'
import { announce } from '#web/core/moments/announce.ts'
import { useText } from '#web/core/i18n.tsx'
import { useNameOf } from '#web/core/PersonName.tsx'
import { OPENS } from '#web/core/router/arrival.ts'
import { Link } from '#web/core/router/Link.tsx'
import { useSession } from '#web/core/session.ts'
import { textLanguage } from '#web/core/text-language.ts'
import type { Stage } from '#web/items/progress/stages.ts'
import { bookPicture, isPatternPaper } from '#web/ui/books/book-picture.ts'
import { Book } from '#web/ui/books/Book.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Face } from '#web/ui/Face.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Newest.module.css'
import bookStyles from '#web/ui/books/Book.module.css'

const SIZES = '(min-width: 60rem) 32rem, 92vw'

const STEPS = {
  unread: 'readNow',
  begun: 'readOn',
  done: 'readAgain',
} as const satisfies Record<Stage, MessageKey>

interface NewestProps {
  readonly item: Pick<
    LessonCard,
    'id' | 'title' | 'description' | 'thumbnail' | 'ownerName' | 'ownerImage'
  >
  readonly course?: boolean | undefined
  readonly href: string
  readonly stage: Stage
  readonly far: ReactNode
  /** The torn band, if the item was unlocked just now. */
  readonly moment: ReactNode
}

/** The item that the viewer bought last, larger than the others. */
export function Newest({ item, course = false, href, stage, far, moment }: NewestProps) {
  const { t } = useText()
  const nameOf = useNameOf()
  const lang = textLanguage(item.title)
  const isNew = moment !== null && moment !== undefined
  const step = t(STEPS[stage])
  useUnlockAnnouncement(isNew, item.title)
  return (
    <article className={isNew ? classes(styles.newestBook, styles.unlocked) : styles.newestBook}>
      <div className={styles.leaf}>
        <Book
          look={isNew ? 'opening' : 'open'}
          course={course}
          seed={item.id}
          picture={bookPicture(item.thumbnail, SIZES)}
          label={!course && isPatternPaper(item.thumbnail) ? item.title : undefined}
          lang={lang}
          state={{ kind: 'owned' }}
          eager
        />
        {moment}
      </div>
      <div>
        <p className="quiet">{t(isNew ? 'newestUnlocked' : 'newestBought')}</p>
        <h2 lang={lang} dir="auto">
          <Link to={href} state={OPENS}>
            {item.title}
          </Link>
        </h2>
        <p
          className={classes(bookStyles.gist, styles.gist)}
          lang={textLanguage(item.description)}
          dir="auto"
        >
          {item.description}
        </p>
        <p className={classes(bookStyles.by, styles.by)}>
          <Face src={item.ownerImage} eager />
          {nameOf(item.ownerName)}
        </p>
        {stage !== 'unread' && <div className={styles.newestFar}>{far}</div>}
        <ButtonLink
          as={Link}
          kind="main"
          big
          to={href}
          state={OPENS}
          aria-label={`${step}: ${item.title}`}
          data-arrival={isNew ? '' : undefined}
        >
          {step}
        </ButtonLink>
      </div>
    </article>
  )
}

/** Announces what was unlocked and the balance once to screen readers, for whom the counting balance is hidden. */
function useUnlockAnnouncement(isNew: boolean, title: string): void {
  const { t, formatNumber } = useText()
  const balance = useSession()?.kbPoints ?? 0
  const announceUnlock = useEffectEvent(() =>
    announce(t('newestTold', { title, balance: formatNumber(balance) })),
  )
  useEffect(() => {
    if (!isNew) return undefined
    announceUnlock()
    return () => announce('')
  }, [isNew])
}
