import type { LessonCard, LockedLesson } from '#contract/lessons.ts'
import { UNLOCKS_COUNTED } from '#contract/limits.ts'
import { useCommentCount } from '#web/items/comments/comment-count.ts'
import { SignedIn } from '#web/core/SignedIn.tsx'
import { FollowAuthor } from '#web/items/follows/FollowAuthor.tsx'
import { Byline, TagList } from '#web/items/shared/details/ItemFacts.tsx'
import { ItemNumbers } from '#web/items/shared/list/ItemNumbers.tsx'
import { useText } from '#web/core/i18n.tsx'
import { AskAuthor } from '#web/items/shared/asking/AskAuthor.tsx'
import { ItemActs } from '#web/items/shared/details/ItemActs.tsx'
import { LockedItem } from '#web/items/shared/details/LockedItem.tsx'
import { MoreLikeIt } from '#web/items/shared/details/MoreLikeIt.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { isPatternPaper } from '#web/ui/books/book-picture.ts'
import type { Because } from '#web/items/lessons/LessonDetailsPage.data.ts'
import { FirstPage } from '#web/items/lessons/details/FirstPage.tsx'
import { InCourses } from '#web/items/lessons/details/InCourses.tsx'
import { LessonInside } from '#web/items/lessons/details/LessonInside.tsx'
import { ItemOffer } from '#web/items/shared/details/ItemOffer.tsx'
import { LessonsBeside } from '#web/items/lessons/details/LessonsBeside.tsx'
import { VideoGone } from '#web/items/lessons/details/VideoGone.tsx'
import { useItemRatings } from '#web/items/ratings/item-ratings.ts'
import { Ratings } from '#web/items/ratings/Ratings.tsx'
import styles from '#web/ui/styles/Item.module.css'

/** Number of cards in a row on a large screen. */
const A_ROW = 5

export interface LockedPageProps {
  readonly lesson: LockedLesson
  readonly because: Because
  readonly otherLessons: readonly LessonCard[]
}

export function LockedPage({ lesson, because, otherLessons }: LockedPageProps) {
  const { t } = useText()
  const listed = useItemRatings('lesson', lesson.id)
  // `lesson.comments` holds the comments themselves, so their count has a separate name.
  const comments = useCommentCount(lesson)
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
            <Ratings kind="lesson" item={lesson} listed={listed} />
            <AskAuthor lesson={lesson} level="h2" />
          </div>
        }
      >
        <Byline item={lesson}>
          <SignedIn>
            <FollowAuthor key={lesson.owner} item={lesson} />
          </SignedIn>
        </Byline>
        <p data-figures className={styles.figures}>
          <ItemNumbers kind="lesson" item={{ ...lesson, comments }} form="words" />
          {lesson.unlocks > 0 && (
            <span>
              <Icon name="lock" />
              {t(lesson.unlocks > UNLOCKS_COUNTED ? 'unlockedByOver' : 'unlockedBy', {
                count: Math.min(lesson.unlocks, UNLOCKS_COUNTED),
              })}
            </span>
          )}
        </p>
        <TagList tags={lesson.tags} />
        {lesson.videoGone ? (
          <VideoGone lesson={lesson} />
        ) : (
          <ItemOffer kind="lesson" item={lesson} leads />
        )}
        <ItemActs kind="lesson" item={lesson} />
      </LockedItem>
      {otherLessons.length > 0 && (
        <MoreLikeIt title={t(because === 'unlocked' ? 'alsoUnlocked' : 'sameTags')}>
          <LessonsBeside lessons={otherLessons.slice(0, A_ROW)} place="below" />
        </MoreLikeIt>
      )}
    </>
  )
}
