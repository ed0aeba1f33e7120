/**
 * Drafts in localStorage, under `kb:{person}:draft:{form}@{tab}`: cleared at logout with everything else of that
 * person. They expire, and their number has a limit.
 */
import { isRecord } from '#web/core/shape.ts'
import { newDraftId } from '#web/core/storage/draft-id.ts'

export interface StoredDraft<Values> {
  readonly savedAt: string
  readonly values: Values
}

export interface FoundDraft<Values> extends StoredDraft<Values> {
  readonly key: string
}

/** Days after which a draft of another tab is deleted. */
const DAYS = 30
/** Drafts of one form in other tabs; older ones are deleted. */
const MOST = 5
/** Drafts of one person in all. */
const MOST_OF_ALL = 50

/** @param tab null for drafts that all tabs share */
export const draftKey = (person: string, form: string, tab: string | null): string =>
  `kb:${person}:draft:${form}${tab === null ? '' : `@${tab}`}`

/** The draft under this key; null where nothing stands that can be read. */
export function readDraft<Values>(key: string): StoredDraft<Values> | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    // Only `writeDraft` writes here.
    return isRecord(stored) && typeof stored['savedAt'] === 'string' && 'values' in stored
      ? (stored as unknown as StoredDraft<Values>)
      : null
  } catch {
    return null
  }
}

/** Stores a draft with the time of this moment. */
export function writeDraft(key: string, values: unknown): void {
  put(key, { savedAt: new Date().toISOString(), values })
}

/** Deletes a draft; a key without one is no error. */
export function removeDraft(key: string): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // Where storage is forbidden nothing was stored.
  }
}

/**
 * Moves a draft to a key that no tab has, so that it is one of another tab from now on.
 * @returns the new key; null when there is no draft or it could not be moved
 */
export function moveDraft(key: string, person: string, form: string): string | null {
  const draft = readDraft(key)
  if (draft === null) return null
  const aside = draftKey(person, form, newDraftId())
  // Removed first: a storage that is nearly full has no room for both.
  removeDraft(key)
  if (put(aside, draft)) return aside
  put(key, draft)
  return null
}

/** Drafts of the form in other tabs, the newest first. Deletes those that are too old or too many. */
export function draftsOf<Values>(
  person: string,
  form: string,
  tab: string,
): readonly FoundDraft<Values>[] {
  const own = draftKey(person, form, tab)
  const all = listDrafts<Values>(draftKey(person, '', null)).filter(({ key }) => key !== own)
  const limit = new Date(Date.now() - DAYS * 86_400_000).toISOString()
  const shared = draftKey(person, form, null)
  const isOfForm = ({ key }: { readonly key: string }) =>
    // Before tabs had drafts of their own there was one for all.
    key === shared || key.startsWith(draftKey(person, form, ''))
  const kept = all.filter(({ savedAt }, place) => savedAt >= limit && place < MOST_OF_ALL)
  const ofForm = kept.filter(isOfForm).slice(0, MOST)
  for (const draft of all)
    if (!kept.includes(draft) || (isOfForm(draft) && !ofForm.includes(draft)))
      removeDraft(draft.key)
  return ofForm
}

/** All drafts whose keys begin so, the newest first. */
function listDrafts<Values>(start: string): FoundDraft<Values>[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(start))
      .flatMap((key) => {
        const draft = readDraft<Values>(key)
        return draft === null ? [] : [{ ...draft, key }]
      })
      .sort((one, other) => (one.savedAt < other.savedAt ? 1 : -1))
  } catch {
    return []
  }
}

/** @returns false where the storage is full or forbidden: the form works without drafts */
function put(key: string, draft: StoredDraft<unknown>): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}
