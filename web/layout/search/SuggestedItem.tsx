import type { ItemSuggestion } from '#contract/search.ts'
import { useText } from '#web/core/i18n.tsx'
import { useSession } from '#web/core/session.ts'
import { textLanguage } from '#web/core/text-language.ts'
import { markMatch } from '#web/layout/search/highlight.ts'
import { bookPicture, isPatternPaper } from '#web/ui/books/book-picture.ts'
import { Book, type BookState } from '#web/ui/books/Book.tsx'
import { aroundHit, MarkedText } from '#web/ui/MarkedText.tsx'
import { Points } from '#web/ui/points/Points.tsx'
import styles from '#web/layout/header/Header.module.css'

interface SuggestedItemProps {
  readonly item: ItemSuggestion
  readonly typed: string
}

export function SuggestedItem({ item, typed }: SuggestedItemProps) {
  const { t, formatNumber } = useText()
  const isOwn = useSession()?._id === item.owner
  const { id, kind, title, thumbnail, price, free, found } = item
  const lang = textLanguage(title)
  const isCourse = kind === 'course'
  const state: BookState = { kind: item.bought === true ? 'owned' : 'closed' }
  return (
    <>
      <Book
        className={styles.book}
        mini
        seed={id}
        course={isCourse}
        picture={bookPicture(thumbnail, '4rem')}
        label={!isCourse && isPatternPaper(thumbnail) ? title : undefined}
        lang={lang}
        state={state}
      />
      <span className={styles.what}>
        <b lang={lang} dir="auto">
          <MarkedText marked={found?.why === 'title' ? found.marked : markMatch(title, typed)} />
        </b>
        <small className="quiet">
          {t(isCourse ? 'kindCourse' : 'kindLesson')}
          <Why found={found} />
        </small>
      </span>
      <span className={styles.worth}>
        {isOwn && t('yours')}
        {!isOwn && item.bought === true && t('owned')}
        {!isOwn && item.bought !== true && free && (
          <span className={styles.freeBand}>{t('freeBand')}</span>
        )}
        {!isOwn && item.bought !== true && !free && (
          <Points amount={formatNumber(price)} unit={t('kbPoints')} />
        )}
      </span>
    </>
  )
}

/** Shows the matching text if the match is not in the title. */
function Why({ found }: Pick<ItemSuggestion, 'found'>) {
  const { t } = useText()
  if (found === undefined || found.why === 'title') return null
  const { why, marked } = found
  return (
    <>
      {' · '}
      {why === 'tag' && `${t('searchInTag')} `}
      {why === 'author' && `${t('searchInAuthor')} `}
      <bdi lang={textLanguage(marked.text)}>
        <MarkedText marked={aroundHit(marked)} />
      </bdi>
    </>
  )
}
