import type { ReactNode } from 'react'
import { Link } from '#web/core/router/Link.tsx'
import type { Can } from '#contract/items.schemas.ts'
import type { ItemKind } from '#contract/points.schemas.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { ReportButton } from '#web/flags/ReportButton.tsx'
import { ShareButton } from '#web/items/sharing/ShareButton.tsx'
import { DeleteButton } from '#web/items/removal/DeleteButton.tsx'
import { like } from '#web/likes/like-part.ts'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'

interface ItemActsProps {
  readonly kind: ItemKind
  readonly item: {
    readonly id: number
    readonly title: string
    readonly owner: string
    readonly likes: number
    readonly liked: boolean
    readonly can: Can
  }
  /** Without an edge: beside a larger step. */
  readonly bare?: boolean | undefined
  /** What one may do with this kind alone. */
  readonly children?: ReactNode
}

/** What one may do with an item: the pages of both kinds place these steps, for who may take them. */
export function ItemActs({ kind, item, bare, children }: ItemActsProps) {
  const { t } = useText()
  const { id, title, owner, likes, liked, can } = item
  const isLesson = kind === 'lesson'
  return (
    <div className="acts">
      <like.View kind={kind} id={id} likes={likes} liked={liked} mayLike={can.like} />
      <ShareButton title={title} path={isLesson ? to.lesson(id) : to.course(id)} bare={bare} />
      {children}
      {can.edit && (
        <ButtonLink as={Link} icon="pen" to={isLesson ? to.editLesson(id) : to.editCourse(id)}>
          {t('edit')}
        </ButtonLink>
      )}
      {can.delete && <DeleteButton item={{ kind, id, title, owner }} />}
      <ReportButton kind={kind} id={id} name={title} owner={owner} />
    </div>
  )
}
