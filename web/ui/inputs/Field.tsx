import { type ReactNode, useId } from 'react'
import { Icon } from '#web/ui/Icon.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Field.module.css'

/** Attributes for the control, which connect it with its label, help, counter and error. */
export interface FieldWiring {
  readonly id: string
  readonly 'aria-describedby'?: string
  readonly 'aria-invalid'?: true
  readonly 'aria-labelledby': string
}

interface FieldProps {
  readonly label: ReactNode
  readonly help?: ReactNode
  /** Replaces the help. */
  readonly error?: string | undefined
  /** Such as "12 / 20". */
  readonly count?: string | undefined
  /** Marks the counter, because the text is too long or too short. */
  readonly over?: boolean | undefined
  /** The field's name, for focusField, if no control inside has it. */
  readonly name?: string | undefined
  /** For several controls, such as the editor. It renders no <label> element. */
  readonly group?: boolean | undefined
  readonly children: (wiring: FieldWiring) => ReactNode
}

export function Field(props: FieldProps) {
  const { label, help, error, count, over, name, group, children } = props
  const id = useId()
  const note = error ?? help
  const described = [note && `${id}-note`, count && `${id}-count`].filter(Boolean).join(' ')
  const wiring: FieldWiring = {
    id,
    'aria-labelledby': `${id}-label`,
    ...(described ? { 'aria-describedby': described } : {}),
    ...(error ? { 'aria-invalid': true } : {}),
  }
  return (
    <div className={styles.field} data-field={name ?? ''}>
      <div className={styles.top}>
        {group ? (
          <span className={styles.lab} id={`${id}-label`}>
            {label}
          </span>
        ) : (
          <label htmlFor={id} id={`${id}-label`}>
            {label}
          </label>
        )}{' '}
        {count && (
          <span
            className={over ? classes(styles.count, styles.over) : styles.count}
            id={`${id}-count`}
          >
            {count}
          </span>
        )}
      </div>
      {children(wiring)}{' '}
      {error ? (
        <p data-error className={styles.error} id={`${id}-note`}>
          <Icon name="warn" />
          {error}
        </p>
      ) : (
        help && (
          <p className={styles.help} id={`${id}-note`}>
            {help}
          </p>
        )
      )}
    </div>
  )
}
