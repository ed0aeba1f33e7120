import type { ReactNode } from 'react'
import { ROWS_PER_PAGE } from '#contract/limits.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { useSlowWait } from '#web/core/router/slow-wait.ts'
import { TurnLinks } from '#web/layout/paging/PageLinks.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { RowSkeleton } from '#web/ui/Skeleton.tsx'

interface DeskRowsProps {
  /** The URL of the list without a page number. */
  readonly path: string
  readonly count: number
  readonly page: number
  readonly href: (page?: number) => string
  readonly loading: string
  /** Shown if the first page is empty. */
  readonly nothing: ReactNode
  readonly children: ReactNode
}

/** For lists without a total number. */
export function DeskRows(props: DeskRowsProps) {
  const { path, count, page, href, loading, nothing, children } = props
  const { t } = useText()
  const waits = useSlowWait(path)
  const emptyPage = (
    <Empty
      drawing="search"
      title={t('deskNoSuchPage')}
      step={
        <ButtonLink as={Link} to={href()}>
          {t('deskFirstPage')}
        </ButtonLink>
      }
    />
  )
  return (
    <>
      {waits && <RowSkeleton label={loading} />}
      {!waits && count > 0 && children}
      {!waits && count === 0 && (page > 1 ? emptyPage : nothing)}
      <TurnLinks page={page} more={count === ROWS_PER_PAGE} href={href} />
    </>
  )
}
