import { useText } from '#web/core/i18n.tsx'
import { Spellings } from '#web/items/shared/nothing/Spellings.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/items/shared/Tags.module.css'

interface CloseMatchesProps {
  readonly q: string
  readonly spellings: readonly string[]
}

/** Says that nothing matches as typed, and which similar words do. Renders nothing without spellings. */
export function CloseMatches({ q, spellings }: CloseMatchesProps) {
  const { t } = useText()
  if (spellings.length === 0) return null
  return (
    <p className={classes('quiet', styles.said)} role="status">
      {t('searchClose', { q })} <Spellings spellings={spellings} />
    </p>
  )
}
