import type { Course } from '#contract/courses.schemas.ts'
import { useText } from '#web/core/i18n.tsx'
import { PersonName } from '#web/core/PersonName.tsx'
import { useSession } from '#web/core/session.ts'
import { Time } from '#web/core/Time.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { Figures } from '#web/items/list/Figures.tsx'
import { useLikes } from '#web/likes/likes-given.ts'
import { Face } from '#web/ui/Face.tsx'
import { Icon } from '#web/ui/Icon.tsx'

/** Who put it together, and when. */
export function CourseOwner({ course }: { readonly course: Course }) {
  // Profiles are for the signed-in: a guest's link would only lead to the login page.
  const isGuest = useSession() === null
  return (
    <p className="byline">
      <Face src={course.ownerImage} eager />
      <span>
        <PersonName id={course.owner} name={course.ownerName} linked={!isGuest} />
        <br />
        <span className="quiet small">
          <Time date={course.date} />
        </span>
      </span>
    </p>
  )
}

/** How many lessons, likes and comments. */
export function CourseFigures({ course }: { readonly course: Course }) {
  const { t } = useText()
  const { likes } = useLikes('course', course)
  return (
    <p className="figures">
      <span>
        <Icon name="book" />
        {t('lessonCount', { total: course.lessons.length })}
      </span>
      <Figures kind="course" values={{ ...course, likes, comments: course.commentCount }} />
    </p>
  )
}

/** Its lessons' tags. */
export function CourseTags({ tags }: { readonly tags: readonly string[] }) {
  const { t } = useText()
  if (tags.length === 0) return null
  return (
    <ul className="tags" aria-label={t('tags')}>
      {tags.map((tag) => (
        <li key={tag} className="tag" lang={textLanguage(tag)} dir="auto">
          {tag}
        </li>
      ))}
    </ul>
  )
}
