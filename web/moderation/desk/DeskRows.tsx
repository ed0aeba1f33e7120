import type { ReactNode } from 'react'
import { ROWS_PER_PAGE } from '#contract/limits.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { useSlowWait } from '#web/core/router/slow-wait.ts'
import { TurnLinks } from '#web/items/list/PageLinks.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { RowSkeleton } from '#web/ui/Skeleton.tsx'

interface DeskRowsProps {
  /** Of the list, whichever page of it. */
  readonly path: string
  /** How many there are on this page. */
  readonly count: number
  readonly page: number
  readonly href: (page?: number) => string
  /** Shown while the next page is on its way. */
  readonly loading: string
  /** Why the first page is empty. */
  readonly nothing: ReactNode
  /** The table. */
  readonly children: ReactNode
}

/** A list of the desk that doesn't count itself: its rows, or why there are none, and the way to other pages. */
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
