import { IconButton } from '#web/ui/IconButton.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Tokens.module.css'
import chipStyles from '#web/ui/styles/Chip.module.css'

interface TokenProps {
  readonly children: string
  readonly removeLabel: string
  readonly onRemove: () => void
}

export function Token({ children, removeLabel, onRemove }: TokenProps) {
  return (
    <span className={classes(chipStyles.chip, styles.chip)}>
      {children}
      <IconButton icon="x" label={removeLabel} onClick={onRemove} />
    </span>
  )
}
