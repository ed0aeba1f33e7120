import type { Can } from '#contract/items.ts'
import type { ItemKind } from '#contract/points.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { ReportButton } from '#web/items/flags/ReportButton.tsx'
import { DeleteButton } from '#web/items/shared/removal/DeleteButton.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'

export interface OwnActsProps {
  readonly kind: ItemKind
  readonly item: {
    readonly id: number
    readonly title: string
    readonly owner: string
    readonly can: Can
  }
}

/** Edit and delete for the owner and administrators, report for everybody else. */
export function OwnActs({ kind, item }: OwnActsProps) {
  const { t } = useText()
  const { id, title, owner, can } = item
  return (
    <>
      {can.edit && (
        <ButtonLink
          as={Link}
          kind="bare"
          icon="pen"
          title={t('edit')}
          to={kind === 'lesson' ? to.editLesson(id) : to.editCourse(id)}
        >
          {t('edit')}
        </ButtonLink>
      )}
      {can.delete && <DeleteButton item={{ kind, id, title, owner }} />}
      <ReportButton kind={kind} id={id} name={title} ownerId={owner} />
    </>
  )
}
