import { clockTime } from '#contract/clock-time.ts'
import type { Note } from '#contract/notes.ts'
import { ComposeForm } from '#web/items/comments/ComposeForm.tsx'
import { useText } from '#web/core/i18n.tsx'
import { useNoteWriting } from '#web/items/notes/note-writing.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import styles from './Notes.module.css'

interface NoteFormProps {
  readonly lesson: number
  /** Null for a new note. */
  readonly note: Note | null
  /** The second of the video that a new note begins at, and that the form takes the focus for. */
  readonly begins?: number | null
  readonly onSaved: (note: Note) => void
  readonly onCancel?: () => void
}

/** A new note records the second of the video, which the user can remove. */
export function NoteForm({ lesson, note, begins = null, onSaved, onCancel }: NoteFormProps) {
  const { t } = useText()
  const { dropSecond, second, ...writing } = useNoteWriting(lesson, note, begins, onSaved)
  const isNew = note === null
  return (
    <ComposeForm
      writing={writing}
      label={t(isNew ? 'noteNew' : 'noteChange')}
      placeholder={isNew ? t('notePlaceholder') : undefined}
      rows={2}
      note={
        isNew && second !== null ? (
          <span className={styles.notePlace}>
            {t('noteAt', { time: clockTime(second) })}
            <IconButton icon="x" label={t('noteNoTime')} onClick={dropSecond} />
          </span>
        ) : (
          t('notePrivate')
        )
      }
      step={t(isNew ? 'noteSave' : 'saveChanges')}
      focusAtOnce={!isNew || begins !== null}
      onCancel={onCancel}
    />
  )
}
