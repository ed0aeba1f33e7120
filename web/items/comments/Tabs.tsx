import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { useHydrated } from '#web/core/hydrated.ts'
import { Chip } from '#web/ui/Chip.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Tabs.module.css'

export interface Part {
  /** The tab opens when the page's address ends in `#name`. */
  readonly name: string
  readonly label: string
  readonly content: ReactNode
}

interface TabsProps {
  readonly label: string
  readonly parts: readonly Part[]
}

/** Shows one part at a time. Without scripts all parts stand below each other. */
export function Tabs({ label: all, parts }: TabsProps) {
  const id = useId()
  const tabs = useRef<HTMLDivElement>(null)
  const { hash, key } = useLocation()
  // The server doesn't receive the fragment of an address.
  const linked = useHydrated() ? hash.slice(1) : ''
  // Until the address changes.
  const [chosen, setChosen] = useState<{ name: string; key: string } | null>(null)
  const wanted = chosen?.key === key ? chosen.name : linked
  const shown = Math.max(
    0,
    parts.findIndex(({ name }) => name === wanted),
  )
  const move = (event: KeyboardEvent) => {
    const last = parts.length - 1
    const next = {
      ArrowRight: shown === last ? 0 : shown + 1,
      ArrowLeft: shown === 0 ? last : shown - 1,
      Home: 0,
      End: last,
    }[event.key]
    const part = parts[next ?? -1]
    if (next === undefined || part === undefined) return
    event.preventDefault()
    setChosen({ name: part.name, key })
    tabs.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus()
  }
  return (
    <div className={styles.box}>
      {parts.length > 1 && (
        <div ref={tabs} className={styles.tabs} role="tablist" aria-label={all} onKeyDown={move}>
          {parts.map(({ name, label }, index) => (
            <Chip
              key={name}
              as="button"
              type="button"
              role="tab"
              id={`${id}${name}`}
              aria-selected={index === shown}
              aria-controls={`${id}${name}-panel`}
              tabIndex={index === shown ? 0 : -1}
              onClick={() => setChosen({ name, key })}
            >
              {label}
            </Chip>
          ))}
        </div>
      )}
      {parts.map(({ name, label, content }, index) => (
        <div
          key={name}
          className={classes(styles.panel, index !== shown && styles.off)}
          role={parts.length > 1 ? 'tabpanel' : undefined}
          id={`${id}${name}-panel`}
          aria-label={parts.length > 1 ? label : undefined}
        >
          {content}
        </div>
      ))}
    </div>
  )
}
