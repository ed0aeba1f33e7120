import { type ReactNode, useRef, useState } from 'react'
import { clockTime } from '#contract/clock-time.ts'
import { notes as calls, type Note } from '#contract/notes.ts'
import { api } from '#web/core/api.ts'
import { passIfGone } from '#web/core/api-error.ts'
import { ConfirmDialog } from '#web/core/form/ConfirmDialog.tsx'
import { useText } from '#web/core/i18n.tsx'
import { Quoted } from '#web/core/Quoted.tsx'
import { useSession } from '#web/core/session.ts'
import { textLanguage } from '#web/core/text-language.ts'
import { Time } from '#web/core/time/Time.tsx'
import { useJumpTo } from '#web/core/video-times/VideoTimes.tsx'
import { NoteForm } from '#web/items/notes/NoteForm.tsx'
import { Button } from '#web/ui/Button.tsx'
import styles from './Notes.module.css'
import itemStyles from '#web/ui/styles/Item.module.css'

interface NoteListProps<Listed extends Note> {
  readonly notes: readonly Listed[]
  /** Rendered above a note, such as its lesson. Omitted beside the player. */
  readonly head?: (note: Listed) => ReactNode
  readonly onChanged: (note: Note) => void
  readonly onDeleted: (id: number) => void
}

export function NoteList<Listed extends Note>(props: NoteListProps<Listed>) {
  const { notes, head, onChanged, onDeleted } = props
  const { t } = useText()
  const isSuspended = useSession()?.suspended === true
  const [changing, setChanging] = useState<number | null>(null)
  const [deleting, setDeleting] = useState<Note | null>(null)
  const list = useRef<HTMLOListElement>(null)
  if (notes.length === 0) return null
  // The focused button disappears, so the note takes the focus.
  const leave = (id: number) => {
    setChanging(null)
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`#note-${id}`)?.focus())
  }
  return (
    <>
      <ol className={styles.notes} ref={list} tabIndex={-1}>
        {notes.map((note) => (
          <li key={note.id} id={`note-${note.id}`} tabIndex={-1}>
            {head?.(note)}
            {changing === note.id ? (
              <NoteForm
                lesson={note.lesson}
                note={note}
                onSaved={(saved) => {
                  onChanged(saved)
                  leave(saved.id)
                }}
                onCancel={() => leave(note.id)}
              />
            ) : (
              <p lang={textLanguage(note.text)} dir="auto">
                {note.text}
              </p>
            )}
            <div className={styles.noteFoot}>
              {head === undefined && <Place second={note.second} />}
              <span className="quiet small">
                <Time date={note.date} form="ago" />
                {note.edited !== null && <span> · {t('noteEdited')}</span>}
              </span>
              {!isSuspended && changing !== note.id && (
                <Steps
                  id={note.id}
                  onEdit={() => setChanging(note.id)}
                  onDelete={() => setDeleting(note)}
                />
              )}
            </div>
          </li>
        ))}
      </ol>
      {deleting !== null && (
        <ConfirmDialog
          onClose={() => setDeleting(null)}
          title={t('noteDeleteTitle')}
          step={{ label: t('noteDelete'), kind: 'risk', icon: 'bin' }}
          act={() => api(calls.remove, { id: deleting.id }).catch(passIfGone)}
          onDone={() => {
            onDeleted(deleting.id)
            list.current?.focus()
          }}
        >
          <Quoted text={deleting.text} />
        </ConfirmDialog>
      )}
    </>
  )
}

interface StepsProps {
  readonly id: number
  readonly onEdit: () => void
  readonly onDelete: () => void
}

function Steps({ id, onEdit, onDelete }: StepsProps) {
  const { t } = useText()
  const shared = { kind: 'bare', className: 'small', 'aria-describedby': `note-${id}` } as const
  return (
    <>
      <Button {...shared} icon="pen" onClick={onEdit}>
        {t('edit')}
      </Button>
      <Button {...shared} icon="bin" aria-haspopup="dialog" onClick={onDelete}>
        {t('delete')}
      </Button>
    </>
  )
}

/** Jumps to the note's second if there is a player. */
function Place({ second }: { readonly second: number | null }) {
  const { t } = useText()
  const jumpTo = useJumpTo()
  if (second === null) return null
  const time = clockTime(second)
  if (jumpTo === null) return <span>{time}</span>
  return (
    <button
      type="button"
      className={itemStyles.jump}
      aria-label={t('playFrom', { time })}
      onClick={() => jumpTo(second)}
    >
      {time}
    </button>
  )
}
