/** What people have typed and not sent, stored in this browser under their id, offered back after a reload. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useHydrated } from '#web/core/hydrated.ts'
import { currentPerson, useSession } from '#web/core/session.ts'
import {
  draftKey,
  draftsOf,
  type FoundDraft,
  moveDraft,
  readDraft,
  removeDraft,
  type StoredDraft,
  writeDraft,
} from '#web/core/storage/draft-store.ts'
import { tabId } from '#web/core/storage/tab.ts'

const DELAY = 400

export interface Draft<Values> {
  /** The stored values and when they were stored, or null. Reads storage: call it in an effect or a handler. */
  readonly read: () => StoredDraft<Values> | null
  /** Stores the values a moment later, at the latest when the form or the page goes. Files can't be stored here: leave them out. */
  readonly save: (values: Values) => void
  /** After the values were sent, or when the person wants none of it. */
  readonly drop: () => void
}

/** The draft of a form in this tab. Other tabs have drafts of their own of the same form. */
export interface TabDraft<Values> extends Draft<Values> {
  /** Drafts of the form from other tabs, the newest first. */
  readonly others: () => readonly FoundDraft<Values>[]
  /**
   * Makes a draft of another tab this tab's own. What this tab had stored stays as another draft.
   * @returns its key, or null if there was none
   */
  readonly take: (other: FoundDraft<Values>) => string | null
  /** Puts this tab's draft among the others. Returns its key, or null if there was none. */
  readonly putAside: () => string | null
  readonly dropOther: (other: FoundDraft<Values>) => void
}

/** A draft that a form offers. */
export interface DraftOffer<Values = unknown> extends FoundDraft<Values> {
  readonly onTake: () => void
  readonly onDrop: () => void
}

/** The draft of one form that all tabs share, such as `contact`, of the signed-in person. */
export function useDraft<Values>(form: string): Draft<Values> {
  return useStoredDraft(form, null)
}

/** This tab's draft of one form, such as `lesson:new` or `comment:7`, of the signed-in person. */
export function useTabDraft<Values>(form: string): TabDraft<Values> {
  const hydrated = useHydrated()
  const person = useSession()?._id ?? 'guest'
  const tab = hydrated ? tabId() : ''
  const { read, save, drop, flush } = useStoredDraft<Values>(form, tab)
  return {
    read,
    save,
    drop,
    others: useCallback(() => draftsOf<Values>(person, form, tab), [person, form, tab]),
    take: useCallback(
      (other) => {
        flush()
        const aside = moveDraft(draftKey(person, form, tab), person, form)
        // Removed first: a storage that is nearly full has no room for both.
        removeDraft(other.key)
        writeDraft(draftKey(person, form, tab), other.values)
        return aside
      },
      [person, form, tab, flush],
    ),
    putAside: useCallback(() => {
      flush()
      return moveDraft(draftKey(person, form, tab), person, form)
    }, [person, form, tab, flush]),
    dropOther: useCallback(({ key }) => removeDraft(key), []),
  }
}

/**
 * The drafts of other tabs as a form offers them, as they were when the form appeared.
 * @param onTake shows the values in the form
 */
export function useDraftOffers<Values>(
  draft: TabDraft<Values>,
  onTake: (values: Values) => void,
): readonly DraftOffer<Values>[] {
  const { others, take, dropOther } = draft
  const hydrated = useHydrated()
  const [round, setRound] = useState(0)
  const found = useMemo(() => (hydrated && round >= 0 ? others() : []), [hydrated, others, round])
  return found.map((other) => ({
    ...other,
    onTake: () => {
      take(other)
      onTake(other.values)
      setRound(round + 1)
    },
    onDrop: () => {
      dropOther(other)
      setRound(round + 1)
    },
  }))
}

/** @param tab null for a draft that all tabs share */
function useStoredDraft<Values>(
  form: string,
  tab: string | null,
): Draft<Values> & { readonly flush: () => void } {
  const person = useSession()?._id ?? 'guest'
  const key = draftKey(person, form, tab)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const pending = useRef<(() => void) | null>(null)
  /** What was typed in the last moment is not lost with the page, nor with a form that gives way to an error. */
  const flush = useCallback(() => {
    clearTimeout(timer.current)
    pending.current?.()
    pending.current = null
  }, [])
  useEffect(() => {
    window.addEventListener('pagehide', flush)
    return () => {
      window.removeEventListener('pagehide', flush)
      flush()
    }
  }, [flush])
  return {
    flush,
    read: useCallback(() => readDraft<Values>(key), [key]),
    save: useCallback(
      (values) => {
        pending.current = () => {
          // Signed out meanwhile: nothing is stored under a name that has gone.
          if ((currentPerson()?._id ?? 'guest') === person) writeDraft(key, values)
        }
        clearTimeout(timer.current)
        timer.current = setTimeout(flush, DELAY)
      },
      [key, person, flush],
    ),
    drop: useCallback(() => {
      clearTimeout(timer.current)
      pending.current = null
      removeDraft(key)
    }, [key]),
  }
}

/** Whether the person has something unsent, messages included: asked before logging out. */
export function hasDrafts(person: string): boolean {
  const starts = [draftKey(person, '', null), `kb:${person}:chat:`]
  return Object.keys(localStorage).some((key) => starts.some((start) => key.startsWith(start)))
}
