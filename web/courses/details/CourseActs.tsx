import { Link } from 'react-router'
import type { Course } from '#contract/courses.schemas.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { ReportButton } from '#web/flags/ReportButton.tsx'
import { DeleteButton } from '#web/items/removal/DeleteButton.tsx'
import { ShareButton } from '#web/items/sharing/ShareButton.tsx'
import { LikeButton } from '#web/likes/LikeButton.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'

interface CourseActsProps {
  readonly course: Course
  /** Without an edge: beside a larger step. */
  readonly bare?: boolean | undefined
}

/** What one may do with the course itself. */
export function CourseActs({ course, bare }: CourseActsProps) {
  const { t } = useText()
  const { id, title, owner, likes, liked, can } = course
  return (
    <div className="acts">
      <LikeButton kind="course" id={id} likes={likes} liked={liked} mayLike={can.like} />
      <ShareButton title={title} path={to.course(id)} bare={bare} />
      {can.edit && (
        <ButtonLink as={Link} icon="pen" to={to.editCourse(id)}>
          {t('edit')}
        </ButtonLink>
      )}
      {can.delete && <DeleteButton item={{ kind: 'course', id, title, owner }} />}
      <ReportButton kind="course" id={id} name={title} owner={owner} />
    </div>
  )
}
