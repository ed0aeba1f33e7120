import { useState } from 'react'
import type { Flag } from '#contract/flags.ts'
import { FlagLine } from '#web/operate/moderation/FlagLine.tsx'
import styles from '#web/operate/desk/Desk.module.css'

interface PersonFlagsProps {
  readonly title: string
  readonly none: string
  readonly flags: readonly Flag[]
}

export function PersonFlags({ title, none, flags }: PersonFlagsProps) {
  const [changed, setChanged] = useState<readonly Flag[]>([])
  return (
    <section>
      <h2 className={styles.deskPart}>{title}</h2>
      {flags.length === 0 ? (
        <p className="quiet">{none}</p>
      ) : (
        <ul className={styles.flags}>
          {flags.map((flag) => (
            <FlagLine
              key={flag.id}
              flag={changed.find(({ id }) => id === flag.id) ?? flag}
              onChange={(now) => setChanged([...changed.filter(({ id }) => id !== now.id), now])}
            />
          ))}
        </ul>
      )}
    </section>
  )
}
