import { type ReactNode, useId } from 'react'
import { Icon } from '#web/ui/Icon.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Field.module.css'

/** What the control inside a field must carry, so that readers hear its help, its counter and its error. */
export interface FieldWiring {
  readonly id: string
  readonly 'aria-describedby'?: string
  readonly 'aria-invalid'?: true
  readonly 'aria-labelledby': string
}

interface FieldProps {
  readonly label: ReactNode
  readonly help?: ReactNode
  /** In words, with the numbers; takes the place of the help. */
  readonly error?: string | undefined
  /** "12 / 20". */
  readonly count?: string | undefined
  /** The counter is past its limit, or short of it. */
  readonly over?: boolean | undefined
  /** By which the form's words lead here, where no control inside carries it. */
  readonly name?: string | undefined
  /** For a group of controls (editor, picture): the label is then no <label>. */
  readonly group?: boolean | undefined
  readonly children: (wiring: FieldWiring) => ReactNode
}

/** Label and counter above, the control, help or error below. */
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
