import { useState } from 'react'
import { focusComment } from '#web/items/comments/focus-comment.ts'
import { ApiError } from '#web/core/api-error.ts'
import { useText } from '#web/core/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './ComposeForm.module.css'
import fieldStyles from '#web/ui/inputs/Field.module.css'

interface OlderCommentsProps {
  readonly left: number
  /** Returns the id of the first comment that was loaded, or undefined when there was none. @throws ApiError */
  readonly show: () => Promise<number | undefined>
}

/** Loads the next 50 comments and moves the focus to the first of them. */
export function OlderComments({ left, show }: OlderCommentsProps) {
  const { t } = useText()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const ask = async () => {
    setBusy(true)
    setFailure(null)
    try {
      const first = await show()
      if (first === undefined) return
      focusComment(first)
    } catch (error) {
      setFailure(error instanceof ApiError ? error.message : t('somethingWrong'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      {failure !== null && (
        <p data-error className={classes(fieldStyles.error, styles.error)} role="alert">
          <Icon name="warn" />
          {failure}
        </p>
      )}
      <Button full busy={busy} onClick={() => void ask()}>
        {left > 0 ? t('olderComments', { count: left }) : t('olderCommentsSome')}
      </Button>
    </>
  )
}
