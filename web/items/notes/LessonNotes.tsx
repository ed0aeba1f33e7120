import { useState } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import type { Note } from '#contract/notes.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { isRecord } from '#web/core/shape.ts'
import { useSession } from '#web/core/session.ts'
import { NoteForm } from '#web/items/notes/NoteForm.tsx'
import { NoteList } from '#web/items/notes/NoteList.tsx'
import { useLessonNotes } from '#web/items/notes/lesson-notes.ts'
import { Button } from '#web/ui/Button.tsx'
import noteStyles from '#web/ui/styles/Note.module.css'

export function LessonNotes({ lesson }: { readonly lesson: number }) {
  const { t } = useText()
  const isSuspended = useSession()?.suspended === true
  const { state, key } = useLocation()
  // The transcript begins a note at a line (web/items/captions). A reload must not begin it again.
  const isAsked = useNavigationType() !== 'POP' && isRecord(state)
  const begins = isAsked && typeof state['noteAt'] === 'number' ? state['noteAt'] : null
  const { notes, failed, ask, change } = useLessonNotes(lesson)
  // A counter, because the same text twice must be announced twice.
  const [saved, setSaved] = useState(0)
  const add = (note: Note) => {
    change((old) => inOrder([...old.filter(({ id }) => id !== note.id), note]))
    setSaved((times) => times + 1)
  }
  return (
    <>
      {isSuspended ? (
        <p className={noteStyles.gate}>{t('notesSuspended')}</p>
      ) : (
        <NoteForm
          key={begins === null ? '' : key}
          lesson={lesson}
          note={null}
          begins={begins}
          onSaved={add}
        />
      )}
      <p className="sr" role="status">
        {saved > 0 && <span key={saved}>{t('noteSaved')}</span>}
      </p>
      {failed && (
        <p className="quiet">
          {t('notesFailed')}{' '}
          <Button kind="bare" icon="retry" onClick={ask}>
            {t('tryAgain')}
          </Button>
        </p>
      )}
      {notes !== null && (
        <NoteList
          notes={notes}
          onChanged={(note) => change((old) => old.map((one) => (one.id === note.id ? note : one)))}
          onDeleted={(gone) => change((old) => old.filter(({ id }) => id !== gone))}
        />
      )}
      <p className="small">
        <Link to={to.notes()}>{t('notesAll')}</Link>
      </p>
    </>
  )
}

/** The server's order. */
function inOrder(notes: readonly Note[]): readonly Note[] {
  const placeOf = ({ second }: Note) => second ?? Number.MAX_SAFE_INTEGER
  return notes.toSorted((one, other) => placeOf(one) - placeOf(other) || one.id - other.id)
}
