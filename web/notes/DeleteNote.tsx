import { notes, type Note } from '#contract/notes.ts'
import { api } from '#web/core/api.ts'
import { ApiError } from '#web/core/api-error.ts'
import { FormDialog } from '#web/core/form/FormDialog.tsx'
import { useSending } from '#web/core/form/use-sending.ts'
import { useText } from '#web/core/i18n.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import styles from '#web/ui/styles/Note.module.css'

interface DeleteNoteProps {
  /** Null: the dialog is closed. */
  readonly note: Note | null
  readonly onClose: () => void
  readonly onDeleted: (id: number) => void
}

/** Asks once before a note goes. */
export function DeleteNote({ note, onClose, onDeleted }: DeleteNoteProps) {
  const { t } = useText()
  const sending = useSending()
  const remove = async ({ id }: Note) => {
    try {
      await api(notes.remove, { id })
    } catch (error) {
      // Another page deleted it: it is what was wanted.
      if (!(error instanceof ApiError && error.status === 404)) throw error
    }
    onClose()
    onDeleted(id)
  }
  return (
    <FormDialog
      open={note !== null}
      onClose={onClose}
      title={t('noteDeleteTitle')}
      step={{ label: t('noteDelete'), kind: 'risk', icon: 'bin' }}
      sending={sending}
      onSubmit={() => {
        if (note !== null) void sending.send(() => remove(note))
      }}
    >
      {note !== null && (
        <blockquote className={styles.quoted} lang={textLanguage(note.text)} dir="auto">
          {note.text}
        </blockquote>
      )}
    </FormDialog>
  )
}
