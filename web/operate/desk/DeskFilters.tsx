import type { ReactNode } from 'react'
import { Link } from '#web/core/router/Link.tsx'
import { Chip } from '#web/ui/Chip.tsx'
import { Segment } from '#web/ui/Segment.tsx'
import styles from './Desk.module.css'

/** The search and the choices above a list. */
export function DeskFilters({ children }: { readonly children: ReactNode }) {
  return <div className={styles.filters}>{children}</div>
}

interface DeskChoiceProps {
  readonly label: string
  readonly choices: readonly {
    readonly name: string
    readonly to: string
    readonly current: boolean
    readonly count?: string | undefined
  }[]
}

/** A filter of which one value is chosen, as links. */
export function DeskChoice({ label, choices }: DeskChoiceProps) {
  return (
    <Segment label={label}>
      {choices.map(({ name, to, current, count }) => (
        <Chip key={name} as={Link} to={to} current={current} count={count}>
          {name}
        </Chip>
      ))}
    </Segment>
  )
}
