import type { LessonCard, LockedLesson } from '#contract/lessons.schemas.ts'
import { useText } from '#web/core/i18n.tsx'
import { AskAuthor } from '#web/items/asking/AskAuthor.tsx'
import { ItemActs } from '#web/items/details/ItemActs.tsx'
import { useItemOffer } from '#web/items/details/item-offer.ts'
import { LockedItem } from '#web/items/details/LockedItem.tsx'
import { MoreLikeIt } from '#web/items/details/MoreLikeIt.tsx'
import { isPatternPaper } from '#web/ui/books/book-picture.ts'
import type { Because } from '#web/lessons/LessonDetailsPage.data.ts'
import { FirstPage } from '#web/lessons/details/FirstPage.tsx'
import { InCourses } from '#web/lessons/details/InCourses.tsx'
import { LessonFacts } from '#web/lessons/details/LessonFacts.tsx'
import { LessonItem } from '#web/lessons/LessonItem.tsx'
import { LessonInside } from '#web/lessons/details/LessonInside.tsx'
import { BuyPanel } from '#web/purchases/BuyPanel.tsx'
import { ratingsPart } from '#web/ratings/ratings-part.ts'

export interface LockedPageProps {
  readonly lesson: LockedLesson
  /** Why the others stand there. */
  readonly because: Because
  readonly others: readonly LessonCard[]
}

/** For those who have not unlocked it: what it is, what is inside, what it costs. */
export function LockedPage({ lesson, because, others }: LockedPageProps) {
  const { t } = useText()
  const offer = useItemOffer('lesson', lesson)
  const paper = isPatternPaper(lesson.thumbnail)
  return (
    <>
      <LockedItem
        kind="lesson"
        item={lesson}
        label={paper ? lesson.title : undefined}
        by={paper ? lesson.ownerName : undefined}
        inside={
          <div>
            {lesson.opening !== null && <FirstPage lesson={lesson} opening={lesson.opening} />}
            <LessonInside lesson={lesson} />
            <InCourses courses={lesson.courses} />
            <ratingsPart.Part key={lesson.id} kind="lesson" item={lesson} />
            <AskAuthor lesson={lesson} level="h2" />
          </div>
        }
      >
        <LessonFacts lesson={lesson} />
        <BuyPanel mayBuy={lesson.can.buy} offer={offer} leads />
        <ItemActs kind="lesson" item={lesson} bare />
      </LockedItem>
      <MoreLikeIt title={t(because === 'unlocked' ? 'alsoUnlocked' : 'sameTags')} others={others}>
        {(other) => <LessonItem key={other.id} lesson={other} level="h3" />}
      </MoreLikeIt>
    </>
  )
}
