import type { ReactNode } from 'react'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Empty } from '#web/ui/Empty.tsx'

interface DeskNothingProps {
  readonly isFiltered: boolean
  /** The list without filters. */
  readonly all: string
  readonly title: string
  readonly children?: ReactNode
}

/** Shown in place of an empty list, with a way out of filters that match nothing. */
export function DeskNothing({ isFiltered, all, title, children }: DeskNothingProps) {
  const { t } = useText()
  if (!isFiltered)
    return (
      <Empty drawing="tray" title={title}>
        {children}
      </Empty>
    )
  return (
    <Empty
      drawing="search"
      title={t('deskNothingFound')}
      step={
        <ButtonLink as={Link} to={all}>
          {t('clearFilters')}
        </ButtonLink>
      }
    />
  )
}
