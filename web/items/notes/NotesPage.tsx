import { useState } from 'react'
import { Form } from 'react-router'
import { clockTime } from '#contract/clock-time.ts'
import { SEARCH_LENGTH } from '#contract/limits.ts'
import type { ListedNote } from '#contract/notes.ts'
import { useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { OPENS } from '#web/core/router/arrival.ts'
import { Link } from '#web/core/router/Link.tsx'
import { useSlowWait } from '#web/core/router/slow-wait.ts'
import { textLanguage } from '#web/core/text-language.ts'
import { PageLinks } from '#web/layout/paging/PageLinks.tsx'
import { NoteList } from '#web/items/notes/NoteList.tsx'
import type { loader } from '#web/items/notes/NotesPage.data.ts'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { Head } from '#web/ui/Head.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'
import { RowSkeleton } from '#web/ui/Skeleton.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Notes.module.css'

export default function NotesPage() {
  const { search, page, pages, total, notes } = usePageData<typeof loader>()
  const { t } = useText()
  const waits = useSlowWait(to.notes())
  if (total === 0 && search === '')
    return (
      <>
        <Head title={t('notesYours')} as="h1" />
        <Empty
          drawing="account"
          title={t('notesNone')}
          step={
            <ButtonLink as={Link} kind="main" to={to.boughtLessons()}>
              {t('boughtLessons')}
            </ButtonLink>
          }
        >
          {t('notesNoneWhat')}
        </Empty>
      </>
    )
  return (
    <>
      <Head title={t('notesYours')} as="h1">
        <p className="quiet num" role="status">
          {t('notesFound', { total })}
        </p>
      </Head>
      <Form className={styles.notesSearch} action={to.notes()} role="search" preventScrollReset>
        <label className="sr" htmlFor="note-search">
          {t('notesSearch')}
        </label>
        <TextInput
          key={search}
          id="note-search"
          name="search"
          type="search"
          maxLength={SEARCH_LENGTH}
          defaultValue={search}
          placeholder={t('notesSearch')}
          autoComplete="off"
        />
        <Button kind="main" type="submit" icon="search">
          {t('searchSubmit')}
        </Button>
      </Form>
      {waits && <RowSkeleton label={t('notesLoading')} />}
      {!waits && total === 0 && <Empty drawing="search" title={t('notesNotFound', { search })} />}
      {!waits && <Listed key={`${search} ${page} ${notes[0]?.id ?? 0}`} listed={notes} />}
      <PageLinks page={page} pages={pages} href={(next) => to.notes({ search, page: next })} />
    </>
  )
}

/** Applies edits and deletions to the loaded page. */
function Listed({ listed }: { readonly listed: readonly ListedNote[] }) {
  const [notes, setNotes] = useState(listed)
  return (
    <NoteList
      notes={notes}
      head={(note) => <Where note={note} />}
      onChanged={(note) =>
        setNotes((old) => old.map((one) => (one.id === note.id ? { ...one, ...note } : one)))
      }
      onDeleted={(gone) => setNotes((old) => old.filter(({ id }) => id !== gone))}
    />
  )
}

function Where({ note }: { readonly note: ListedNote }) {
  const { t } = useText()
  const { lesson, title, gone, second } = note
  const time = second === null ? null : clockTime(second)
  if (gone)
    return (
      <p className={classes('quiet', styles.noteWhere)}>
        {t('noteLessonGone')} {time !== null && <span className="num">{time}</span>}
      </p>
    )
  return (
    <p className={styles.noteWhere}>
      <Link to={to.lesson(lesson)} state={OPENS} lang={textLanguage(title)} dir="auto">
        {title}
      </Link>{' '}
      {second !== null && time !== null && (
        <Link
          className="num"
          to={to.lessonAt(lesson, second)}
          aria-label={t('noteOpenAt', { title, time })}
        >
          {time}
        </Link>
      )}
    </p>
  )
}
