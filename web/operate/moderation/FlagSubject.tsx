import type { Flag } from '#contract/flags.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { to } from '#web/core/paths.ts'
import { textLanguage } from '#web/core/text-language.ts'
import { DeskPerson } from '#web/operate/desk/DeskPerson.tsx'
import { usePictureAddress } from '#web/ui/picture-origin.ts'
import styles from '#web/operate/desk/Desk.module.css'

const GONE: Readonly<Record<Flag['kind'], MessageKey>> = {
  lesson: 'flagLessonGone',
  course: 'flagCourseGone',
  comment: 'flagCommentGone',
  rating: 'flagRatingGone',
  message: 'flagMessageGone',
  profile: 'flagProfileGone',
}

export function FlagSubject({ flag }: { readonly flag: Flag }) {
  const { t } = useText()
  const pictureAddress = usePictureAddress()
  const { kind, subject } = flag
  const { gone, title, text, picture, person, suspended } = subject
  const path = addressOf(flag)
  return (
    <div className={styles.thing} data-subject={kind}>
      {picture !== null && kind !== 'profile' && (
        <img src={pictureAddress(picture)} alt="" width={160} height={90} loading="lazy" />
      )}
      <div>
        {title !== null && (
          <p lang={textLanguage(title)} dir="auto">
            {path === null ? <b>{title}</b> : <Link to={path}>{title}</Link>}
          </p>
        )}
        {text !== null && (
          <p className={styles.words} lang={textLanguage(text)} dir="auto">
            {text}
          </p>
        )}
        {person !== null && <DeskPerson person={person} suspended={suspended} />}
        {gone && <p className="quiet">{t(GONE[kind])}</p>}
      </div>
    </div>
  )
}

/** The page that shows the subject. Null if it is deleted or has no page. */
function addressOf({ kind, subjectId, subject }: Flag): string | null {
  const { gone, lessonId, courseId } = subject
  switch (kind) {
    case 'lesson':
      return gone ? null : to.lesson(Number(subjectId))
    case 'course':
      return gone ? null : to.course(Number(subjectId))
    case 'comment':
      return lessonId === null ? null : to.lesson(lessonId)
    case 'rating':
      if (lessonId !== null) return to.lesson(lessonId)
      return courseId === null ? null : to.course(courseId)
    case 'message':
    case 'profile':
      return null
  }
}
