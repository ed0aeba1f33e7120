import type { ReactNode } from 'react'
import { isFormerMember } from '#contract/former-member.ts'
import type { LessonCard } from '#contract/lessons.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { useNameOf } from '#web/core/PersonName.tsx'
import { to } from '#web/core/paths.ts'
import { OPENS } from '#web/core/router/arrival.ts'
import { textLanguage } from '#web/core/text-language.ts'
import { bookPicture, CARD_SIZES } from '#web/ui/books/book-picture.ts'
import { bookState } from '#web/items/shared/list/book-state.ts'
import { aroundHit, type Hit, MarkedText } from '#web/ui/MarkedText.tsx'
import { nameOpenedBook } from '#web/items/shared/list/opened-book.ts'
import { Foreign } from '#web/items/shared/Foreign.tsx'
import { TagLink } from '#web/items/shared/TagLink.tsx'
import { classes } from '#web/ui/classes.ts'
import { Book } from '#web/ui/books/Book.tsx'
import { Card } from '#web/ui/books/Card.tsx'
import { CardLink } from '#web/ui/books/CardLink.tsx'
import { StateWord } from '#web/ui/books/StateWord.tsx'
import { Face } from '#web/ui/Face.tsx'
import styles from './Newest.module.css'
import bookStyles from '#web/ui/books/Book.module.css'

type CardItem = Pick<
  LessonCard,
  | 'id'
  | 'title'
  | 'description'
  | 'language'
  | 'thumbnail'
  | 'owner'
  | 'ownerName'
  | 'ownerImage'
  | 'bought'
  | 'free'
  | 'price'
>

interface ItemCardProps {
  readonly item: CardItem
  readonly course?: boolean | undefined
  /** Written on the book's cover. */
  readonly label?: string | undefined
  readonly level?: 'h2' | 'h3' | undefined
  /** True for pictures above the fold, which load first. */
  readonly eager?: boolean | undefined
  readonly isOwn: boolean
  readonly found?: Hit | undefined
  readonly href: string
  readonly children: ReactNode
}

/** An item in a list. The link to its page covers the whole card, except the author's name. */
export function ItemCard(props: ItemCardProps) {
  const { item, course, label, level, eager, isOwn, found, href, children } = props
  const texts = useText()
  const { t } = texts
  const state = bookState(item, isOwn, texts)
  const lang = textLanguage(item.title)
  return (
    <Card
      book={
        <Book
          course={course}
          seed={item.id}
          picture={bookPicture(item.thumbnail, CARD_SIZES)}
          label={label}
          lang={lang}
          state={state}
          eager={eager}
        />
      }
      title={found?.why === 'title' ? <MarkedText marked={found.marked} /> : item.title}
      lang={lang}
      level={level}
      about={<Gist item={item} found={found} />}
      by={
        <>
          <Face src={item.ownerImage} eager={eager} />
          <CardAuthor item={item} found={found} />
          <Foreign language={item.language} />
          {state.kind === 'owned' && <StateWord icon="check">{t('owned')}</StateWord>}
          {state.kind === 'yours' && <StateWord icon="pen">{t('yours')}</StateWord>}
        </>
      }
      stats={
        <>
          {children}
          <CardLink
            as={Link}
            to={href}
            viewTransition
            onClick={nameOpenedBook}
            state={state.kind === 'sealed' ? undefined : OPENS}
            title={item.title}
          >
            {t('details')}
          </CardLink>
        </>
      }
    />
  )
}

function CardAuthor({ item, found }: { readonly item: CardItem; readonly found: Hit | undefined }) {
  const nameOf = useNameOf()
  const name =
    found?.why === 'author' ? <MarkedText marked={found.marked} /> : nameOf(item.ownerName)
  return (
    <span className={bookStyles.name}>
      {isFormerMember(item.ownerName) ? (
        name
      ) : (
        <Link className={bookStyles.door} to={to.by(item.ownerName)}>
          {name}
        </Link>
      )}
    </span>
  )
}

interface GistProps {
  readonly item: Pick<CardItem, 'description'>
  readonly found: Hit | undefined
}

/** The beginning of the description, or the match by which a search found the item. */
function Gist({ item, found }: GistProps) {
  const { t } = useText()
  const inWords = found?.why === 'opening' || found?.why === 'description'
  return (
    <p
      className={classes(bookStyles.gist, styles.gist)}
      dir="auto"
      lang={textLanguage(inWords ? found.marked.text : item.description)}
    >
      {found?.why === 'opening' && <span className="quiet">{t('searchInOpening')} </span>}
      {found?.why === 'spoken' && <span className="quiet">{t('searchSpoken')} </span>}
      {found?.why === 'tag' && <TagLink tag={found.marked.text} className={bookStyles.door} />}
      {inWords ? <MarkedText marked={aroundHit(found.marked)} /> : item.description}
    </p>
  )
}
