import type { ReactNode, SyntheticEvent } from 'react'
import styles from '#web/ui/inputs/Form.module.css'

interface SettingsSectionProps {
  /** Of the heading; addresses may lead there. */
  readonly id: string
  readonly title: string
  /** What it is about, a paragraph each. */
  readonly lead: readonly string[]
  /** How it stands, below the lead. */
  readonly state?: ReactNode
  readonly children?: ReactNode
  /** Buttons. */
  readonly actions?: ReactNode
  /** It is a form. */
  readonly onSubmit?: ((event: SyntheticEvent) => unknown) | undefined
}

/** One thing that a person sets on their account: what it is, how it stands, and what can be done. */
export function SettingsSection(props: SettingsSectionProps) {
  const { id, title, lead, state, children, actions, onSubmit } = props
  const parts = (
    <>
      <div>
        <h2 id={id}>{title}</h2>
        {lead.map((text) => (
          <p key={text} className="quiet">
            {text}
          </p>
        ))}
        {state}
      </div>
      {children}
      {actions && <div className={styles.submit}>{actions}</div>}
    </>
  )
  if (onSubmit === undefined)
    return (
      <section className={styles.form} aria-labelledby={id}>
        {parts}
      </section>
    )
  return (
    // Without script no password may get into an address.
    <form className={styles.form} method="post" aria-labelledby={id} onSubmit={onSubmit} noValidate>
      {parts}
    </form>
  )
}
