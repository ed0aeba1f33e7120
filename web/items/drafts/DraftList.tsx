import { type ReactNode, useCallback, useState } from 'react'
import { type Draft, drafts as calls, type ListedDraft } from '#contract/drafts.ts'
import { ApiError } from '#web/core/api-error.ts'
import { api } from '#web/core/api.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { useSession } from '#web/core/session.ts'
import { textLanguage } from '#web/core/text-language.ts'
import { Time } from '#web/core/time/Time.tsx'
import { toast } from '#web/core/toast.ts'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Chip } from '#web/ui/Chip.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { Segment } from '#web/ui/Segment.tsx'
import styles from './Drafts.module.css'

type Kind = 'lesson' | 'course'

interface DraftTabsProps {
  readonly kind: Kind
  readonly count: number
  readonly isDrafts: boolean
}

/** Links between what a person has published and their drafts. */
export function DraftTabs({ kind, count, isDrafts }: DraftTabsProps) {
  const { t, formatNumber } = useText()
  const published = kind === 'lesson' ? to.yourLessons() : to.yourCourses()
  return (
    <Segment label={t('draftTabs')}>
      <Chip as={Link} to={published} current={!isDrafts}>
        {t('draftTabPublished')}
      </Chip>
      <Chip as={Link} to={to.yourDrafts(kind)} current={isDrafts} count={formatNumber(count)}>
        {t('draftTabDrafts')}
      </Chip>
    </Segment>
  )
}

interface DraftListProps {
  readonly kind: Kind
  readonly drafts: readonly ListedDraft[]
  /** The main action. */
  readonly create: ReactNode
}

export function DraftList({ kind, drafts, create }: DraftListProps) {
  const { t } = useText()
  const person = useSession()?._id ?? ''
  if (drafts.length === 0)
    return (
      <Empty drawing="shelf" title={t('noDraftsYet')} step={create}>
        {t('draftsEmpty')}
      </Empty>
    )
  return (
    <ul className={styles.drafts}>
      {drafts.map((draft) => (
        <DraftLine key={`${person} ${draft.key}`} kind={kind} draft={draft} />
      ))}
    </ul>
  )
}

function DraftLine({ kind, draft }: { readonly kind: Kind; readonly draft: ListedDraft }) {
  const { t } = useText()
  const { isBusy, discarded, isRestored, discard, restore } = useDiscard(draft)
  // The pressed button is gone.
  const focus = useCallback(
    (line: HTMLLIElement | null) => {
      if (isRestored) line?.querySelector<HTMLElement>('[data-kind]')?.focus()
    },
    [isRestored],
  )
  const isSuspended = useSession()?.suspended === true
  const { title, item, key } = draft
  const shown = title === '' ? t('draftUntitled') : title
  if (discarded !== null)
    return (
      <li key="gone">
        <p role="status">{t('draftDiscarded', { title: shown })}</p>
        {/* The pressed button is gone. */}
        <Button icon="undo" busy={isBusy} onClick={restore} autoFocus>
          {t('undo')}
        </Button>
      </li>
    )
  return (
    <li key="there" ref={focus}>
      <p>
        <b lang={title === '' ? undefined : textLanguage(title)} dir="auto">
          {shown}
        </b>
        <br />
        <span className="quiet small">
          <Origin kind={kind} item={item} /> · <Time date={draft.savedAt} form="moment" />
        </span>
      </p>
      {item?.gone !== true && !isSuspended && (
        <ButtonLink
          as={Link}
          to={formOf(kind, item?.id ?? null, key)}
          aria-label={t('draftGoOnNamed', { title: shown })}
        >
          {t('draftGoOn')}
        </ButtonLink>
      )}
      {!isSuspended && (
        <Button
          kind="bare"
          busy={isBusy}
          onClick={discard}
          aria-label={t('draftDiscardNamed', { title: shown })}
        >
          {t('draftDiscard')}
        </Button>
      )}
    </li>
  )
}

function Origin({ kind, item }: { readonly kind: Kind; readonly item: ListedDraft['item'] }) {
  const { t } = useText()
  if (item === null) return t(kind === 'lesson' ? 'newLesson' : 'newCourse')
  if (item.gone) return t('draftOfDeleted')
  const path = kind === 'lesson' ? to.lesson(item.id) : to.course(item.id)
  return (
    <>
      {t('draftChanges')}{' '}
      <Link to={path} lang={textLanguage(item.title)} dir="auto">
        {item.title}
      </Link>
    </>
  )
}

function formOf(kind: Kind, id: number | null, draft: string): string {
  if (kind === 'lesson') return id === null ? to.createLesson(draft) : to.editLesson(id, draft)
  return id === null ? to.createCourse(draft) : to.editCourse(id, draft)
}

/** Discards a draft, and keeps it so that it can be restored while the list is shown. */
function useDiscard({ key }: ListedDraft) {
  const { t } = useText()
  const person = useSession()?._id ?? ''
  const [isBusy, setBusy] = useState(false)
  const [discarded, setDiscarded] = useState<Draft | null>(null)
  const [isRestored, setRestored] = useState(false)
  const run = (step: () => Promise<Draft | null>) => {
    setBusy(true)
    step()
      .then(setDiscarded, (error: unknown) =>
        toast(error instanceof ApiError ? error.message : t('somethingWrong'), 'failed'),
      )
      .finally(() => setBusy(false))
  }
  return {
    isBusy,
    discarded,
    isRestored,
    discard: () =>
      run(async () => {
        const { forgetSent } = await import('#web/core/storage/draft-sending.ts')
        const draft = await api(calls.read, { key }, { person })
        await api(calls.remove, { key, base: draft.version }, { person })
        forgetSent(person, key)
        return draft
      }),
    restore: () =>
      run(async () => {
        if (discarded === null) return null
        // The end of a draft is a version too.
        const { version, values } = discarded
        await api(calls.save, { key, base: version + 1, values }, { person })
        setRestored(true)
        toast(t('draftRestored'))
        return null
      }),
  }
}
