import type { Lesson } from '#contract/lessons.schemas.ts'
import { useCommentCount } from '#web/comments/comment-count.ts'
import { useText } from '#web/core/i18n.tsx'
import { PersonName } from '#web/core/PersonName.tsx'
import { useSession } from '#web/core/session.ts'
import { Time } from '#web/core/Time.tsx'
import { Figures } from '#web/items/list/Figures.tsx'
import { useLikes } from '#web/likes/likes-given.ts'
import { textLanguage } from '#web/core/text-language.ts'
import { Face } from '#web/ui/Face.tsx'
import { classes } from '#web/ui/classes.ts'

interface LessonFactsProps {
  readonly lesson: Lesson
  /** Beside the article: smaller and without weight. */
  readonly quiet?: boolean | undefined
}

/** Who made it, when, its numbers, its tags. */
export function LessonFacts({ lesson, quiet }: LessonFactsProps) {
  const { t } = useText()
  // Profiles are for the signed-in: a guest's link would only lead to the login page.
  const isGuest = useSession() === null
  const comments = useCommentCount(lesson)
  const { likes } = useLikes('lesson', lesson)
  return (
    <>
      <p className="byline">
        <Face src={lesson.ownerImage} eager />
        <span>
          <PersonName id={lesson.owner} name={lesson.ownerName} linked={!isGuest} />
          <br />
          <span className="quiet small">
            <Time date={lesson.date} />
          </span>
        </span>
      </p>
      <p className={classes('figures', quiet && 'quiet')}>
        <Figures kind="lesson" values={{ ...lesson, likes, comments }} />
      </p>
      <ul className="tags" aria-label={t('tags')}>
        {lesson.tags.map((tag) => (
          <li key={tag} className="tag" lang={textLanguage(tag)} dir="auto">
            {tag}
          </li>
        ))}
      </ul>
    </>
  )
}
