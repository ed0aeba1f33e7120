import type { ReactNode } from 'react'
import type { OpenLesson } from '#contract/lessons.ts'
import type { ItemKind } from '#contract/points.ts'
import { isFormerMember } from '#contract/former-member.ts'
import { Comments } from '#web/items/comments/Comments.tsx'
import { useText } from '#web/core/i18n.tsx'
import { useSession } from '#web/core/session.ts'
import { ASK_ID } from '#web/items/shared/asking/ask-place.ts'
import { AskAuthor } from '#web/items/shared/asking/AskAuthor.tsx'
import { ItemOffer } from '#web/items/shared/details/ItemOffer.tsx'
import { useItemRatings } from '#web/items/ratings/item-ratings.ts'
import { RatingForm } from '#web/items/ratings/RatingForm.tsx'
import { Ratings, type RatingsProps } from '#web/items/ratings/Ratings.tsx'

export interface ItemResponsesProps {
  readonly kind: ItemKind
  readonly item: RatingsProps['item'] & {
    readonly title: string
    readonly price: number
    readonly can: { readonly buy: boolean }
  }
  /** The open lesson: the item itself, or a lesson of the course. */
  readonly lesson: OpenLesson
  /** The viewer's own notes. */
  readonly notes: ReactNode
}

/** The ratings and comments of an open item, shared by the pages of both kinds. */
export function ItemResponses({ kind, item, lesson, notes }: ItemResponsesProps) {
  const { t } = useText()
  const person = useSession()
  const listed = useItemRatings(kind, item.id)
  const { list, putOwn } = listed
  // A course's free preview already has the course's offer above its comments.
  const unlock = kind === 'lesson' && <ItemOffer kind={kind} item={item} />
  const parts = [
    item.can.rate && {
      name: 'rate',
      label: t(kind === 'course' ? 'ratingOfCourse' : 'rating'),
      content: list !== null && (
        <RatingForm kind={kind} id={item.id} own={list.own} onChange={putOwn} />
      ),
    },
    person !== null && {
      name: 'notes',
      label: t('notesYours'),
      content: notes,
    },
    person?._id !== lesson.owner &&
      !isFormerMember(lesson.ownerName) && {
        name: ASK_ID,
        label: t('askAuthor'),
        content: <AskAuthor lesson={lesson} />,
      },
  ].filter((part) => part !== false)
  return (
    <>
      <Ratings kind={kind} item={item} listed={listed} />
      <Comments
        key={lesson.id}
        lesson={lesson}
        inCourse={kind === 'course'}
        parts={parts}
        unlock={unlock}
      />
    </>
  )
}
