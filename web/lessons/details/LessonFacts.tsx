import type { Lesson } from '#contract/lessons.ts'
import { useCommentCount } from '#web/comments/comment-count.ts'
import { Byline, TagList } from '#web/items/details/ItemFacts.tsx'
import { Figures } from '#web/items/details/Figures.tsx'
import { classes } from '#web/ui/classes.ts'
import { FollowAuthor } from '#web/follows/FollowAuthor.tsx'
import { SignedIn } from '#web/core/SignedIn.tsx'
import styles from '#web/ui/styles/Item.module.css'

interface LessonFactsProps {
  readonly lesson: Lesson
  /** Beside the article: smaller and without weight. */
  readonly quiet?: boolean | undefined
}

/** Who made it, when, its numbers, its tags. */
export function LessonFacts({ lesson, quiet }: LessonFactsProps) {
  // The details' own field of this name holds the comments themselves.
  const comments = useCommentCount(lesson)
  return (
    <>
      <Byline item={lesson}>
        <SignedIn>
          <FollowAuthor key={lesson.owner} item={lesson} />
        </SignedIn>
      </Byline>
      <p data-figures className={classes(styles.figures, quiet && 'quiet')}>
        <Figures kind="lesson" item={{ ...lesson, comments }} />
      </p>
      <TagList tags={lesson.tags} />
    </>
  )
}
