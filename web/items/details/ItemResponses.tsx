import type { OpenLesson } from '#contract/lessons.ts'
import type { ItemKind } from '#contract/points.ts'
import { Comments } from '#web/comments/Comments.tsx'
import { AskAuthor } from '#web/items/asking/AskAuthor.tsx'
import { ItemOffer } from '#web/items/details/ItemOffer.tsx'
import { Ratings, type RatingsProps } from '#web/ratings/Ratings.tsx'

export interface ItemResponsesProps {
  readonly kind: ItemKind
  readonly item: RatingsProps['item'] & {
    readonly title: string
    readonly price: number
    readonly can: { readonly buy: boolean }
  }
  /** The lesson that is open: the item itself, or one of the course. */
  readonly lesson: OpenLesson
}

/**
 * What readers leave on an item that is open to them, below what it teaches. The pages of both kinds place it, so that
 * another response stands on both by one line here.
 */
export function ItemResponses({ kind, item, lesson }: ItemResponsesProps) {
  // Above the comments of a course's free preview stands the course's offer already.
  const unlock = kind === 'lesson' && <ItemOffer kind={kind} item={item} />
  return (
    <>
      <Ratings key={`${kind} ${item.id}`} kind={kind} item={item} />
      <Comments key={lesson.id} lesson={lesson} inCourse={kind === 'course'} unlock={unlock}>
        <AskAuthor lesson={lesson} level="h3" />
      </Comments>
    </>
  )
}
