import { Form } from 'react-router'
import { SEARCH_LENGTH } from '#contract/limits.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Desk.module.css'
import iconButtonStyles from '#web/ui/styles/IconButton.module.css'
import chipStyles from '#web/ui/styles/Chip.module.css'

interface DeskSearchProps {
  /** The list without filters. */
  readonly action: string
  readonly label: string
  /** The accessible name of the button. */
  readonly button: string
  readonly search: string
  /** The other filters, which hidden fields keep. */
  readonly kept: Readonly<Record<string, string | undefined>>
}

/** A form, so that it works without JavaScript. */
export function DeskSearch({ action, label, button, search, kept }: DeskSearchProps) {
  return (
    <Form className={classes(chipStyles.seg, styles.deskWords)} action={action} role="search">
      <label className="small quiet" htmlFor="desk-search">
        {label}
      </label>
      {Object.entries(kept).map(
        ([name, value]) =>
          value !== undefined && <input key={name} type="hidden" name={name} value={value} />,
      )}
      <div>
        <TextInput
          // The key resets the input when the URL changes.
          key={search}
          id="desk-search"
          type="search"
          name="search"
          autoComplete="off"
          maxLength={SEARCH_LENGTH}
          defaultValue={search}
        />
        <button
          type="submit"
          className={classes(iconButtonStyles.iconBtn, iconButtonStyles.edge)}
          aria-label={button}
        >
          <Icon name="search" />
        </button>
      </div>
    </Form>
  )
}
