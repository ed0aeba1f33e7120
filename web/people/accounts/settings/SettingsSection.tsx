import type { ReactNode, SyntheticEvent } from 'react'
import styles from '#web/ui/inputs/Form.module.css'

interface SettingsSectionProps {
  /** The heading's id. URLs may link to it. */
  readonly id: string
  readonly title: string
  /** One string for each paragraph. */
  readonly lead: readonly string[]
  /** The current state, below the lead. */
  readonly state?: ReactNode
  readonly children?: ReactNode
  readonly actions?: ReactNode
  /** Makes the section a form. */
  readonly onSubmit?: ((event: SyntheticEvent) => unknown) | undefined
}

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
    // `method="post"` keeps passwords out of the URL without JavaScript.
    <form className={styles.form} method="post" aria-labelledby={id} onSubmit={onSubmit} noValidate>
      {parts}
    </form>
  )
}
