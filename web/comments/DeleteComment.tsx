import { useState } from 'react'
import { comments, type Comment } from '#contract/comments.ts'
import { api } from '#web/core/api.ts'
import { ApiError } from '#web/core/api-error.ts'
import { useText } from '#web/core/i18n.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import styles from '#web/ui/styles/Note.module.css'

interface DeleteCommentProps {
  /** Null: the dialog is closed. */
  readonly comment: Comment | null
  readonly onClose: () => void
  readonly onDeleted: (id: number) => void
}

/** Asks once before a comment goes. */
export function DeleteComment({ comment, onClose, onDeleted }: DeleteCommentProps) {
  const { t } = useText()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const close = () => {
    setFailure(null)
    onClose()
  }
  const remove = async ({ id }: Comment) => {
    setBusy(true)
    setFailure(null)
    try {
      await api(comments.remove, { id })
      close()
      onDeleted(id)
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) {
        close()
        onDeleted(id)
      } else setFailure(error instanceof ApiError ? error.message : t('somethingWrong'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      open={comment !== null}
      onClose={close}
      title={t('deleteCommentTitle')}
      actions={
        <>
          <Button
            kind="risk"
            icon="bin"
            busy={busy}
            onClick={() => comment !== null && void remove(comment)}
          >
            {t('deleteComment')}
          </Button>{' '}
          <Button onClick={close}>{t('keepLesson')}</Button>
        </>
      }
    >
      {failure !== null && (
        <Alert heading={t('error')} focus>
          {failure}
        </Alert>
      )}
      {comment !== null && (
        <blockquote className={styles.quoted} lang={textLanguage(comment.text)} dir="auto">
          {comment.text}
        </blockquote>
      )}
    </Dialog>
  )
}
