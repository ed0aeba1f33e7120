import type { Lesson } from '#contract/lessons.ts'
import { useCommentCount } from '#web/comments/comment-count.ts'
import { Byline, TagList } from '#web/items/details/ItemFacts.tsx'
import { Figures } from '#web/items/details/Figures.tsx'
import { FollowAuthor } from '#web/follows/FollowAuthor.tsx'
import { SignedIn } from '#web/core/SignedIn.tsx'
import styles from '#web/ui/styles/Item.module.css'

/** Who made it, when, its numbers, its tags. */
export function LessonFacts({ lesson }: { readonly lesson: Lesson }) {
  // The details' own field of this name holds the comments themselves.
  const comments = useCommentCount(lesson)
  return (
    <>
      <Byline item={lesson}>
        <SignedIn>
          <FollowAuthor key={lesson.owner} item={lesson} />
        </SignedIn>
      </Byline>
      <p data-figures className={styles.figures}>
        <Figures kind="lesson" item={{ ...lesson, comments }} />
      </p>
      <TagList tags={lesson.tags} />
    </>
  )
}
