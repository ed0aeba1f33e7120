import type { ReactNode } from 'react'
import type { LessonCard } from '#contract/lessons.schemas.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { useNameOf } from '#web/core/PersonName.tsx'
import { OPENS } from '#web/core/router/arrival.ts'
import { textLanguage } from '#web/core/text-language.ts'
import { bookPicture, CARD_SIZES } from '#web/items/list/book-picture.ts'
import { bookState } from '#web/items/list/book-state.ts'
import { Book } from '#web/ui/books/Book.tsx'
import { Card } from '#web/ui/books/Card.tsx'
import { CardLink } from '#web/ui/books/CardLink.tsx'
import { StateWord } from '#web/ui/books/StateWord.tsx'
import { Face } from '#web/ui/Face.tsx'

type CardItem = Pick<
  LessonCard,
  | 'id'
  | 'title'
  | 'description'
  | 'tags'
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
  /** Written on the book itself. */
  readonly label?: string | undefined
  readonly level?: 'h2' | 'h3' | undefined
  /** One of the pictures that are seen first. */
  readonly eager?: boolean | undefined
  /** The viewer made it. */
  readonly isOwn: boolean
  /** Where the card leads to. */
  readonly href: string
  /** Its numbers. */
  readonly children: ReactNode
}

/** A lesson or a course in a list: its book, title, owner, numbers, and one link over all of it. */
export function ItemCard(props: ItemCardProps) {
  const { item, course, label, level, eager, isOwn, href, children } = props
  const texts = useText()
  const { t } = texts
  const nameOf = useNameOf()
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
      title={item.title}
      lang={lang}
      level={level}
      about={<Gist item={item} />}
      by={
        <>
          <Face src={item.ownerImage} eager={eager} />
          {nameOf(item.ownerName)}
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

/** Its first tag and how its description begins: a line on a phone, two in a grid. */
function Gist({ item }: { readonly item: Pick<CardItem, 'description' | 'tags'> }) {
  const [tag] = item.tags
  return (
    <p className="gist" dir="auto" lang={textLanguage(item.description)}>
      {tag !== undefined && <i lang={textLanguage(tag)}>{tag}</i>}
      {item.description}
    </p>
  )
}
