/** Drafts in localStorage, under `kb:{person}:draft:{form}@{tab}`, which signing out deletes. */
import { isRecord } from '#web/core/shape.ts'
import { newDraftId } from '#web/core/storage/draft-id.ts'

export interface StoredDraft<Values> {
  readonly savedAt: string
  readonly values: Values
}

export interface FoundDraft<Values> extends StoredDraft<Values> {
  readonly key: string
}

/** Drafts are deleted after this many days. */
const DAYS = 30
/** Maximum number of drafts of one form in other tabs. Older ones are deleted. */
const MOST = 5
/** Maximum number of drafts of one person. */
const MOST_OF_ALL = 50

/** `tab` is null for a draft that all tabs share. */
export const draftKey = (person: string, form: string, tab: string | null): string =>
  `kb:${person}:draft:${form}${tab === null ? '' : `@${tab}`}`

/** Returns null if there is none, or it cannot be parsed. */
export function readDraft<Values>(key: string): StoredDraft<Values> | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    // Only `writeDraft` writes under this key.
    return isRecord(stored) && typeof stored['savedAt'] === 'string' && 'values' in stored
      ? (stored as unknown as StoredDraft<Values>)
      : null
  } catch {
    return null
  }
}

export function writeDraft(key: string, values: unknown): void {
  put(key, { savedAt: new Date().toISOString(), values })
}

export function removeDraft(key: string): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // Nothing was stored if storage is forbidden.
  }
}

/** The new key belongs to no open tab. Returns null if there is no draft or it could not be moved. */
export function moveDraft(key: string, person: string, form: string): string | null {
  const draft = readDraft(key)
  if (draft === null) return null
  const newKey = draftKey(person, form, newDraftId())
  // Removes it first, because an almost full storage has no room for both.
  removeDraft(key)
  if (put(newKey, draft)) return newKey
  put(key, draft)
  return null
}

/** Lists the form's drafts of other tabs, the newest first. Deletes those that are too old or too many. */
export function draftsOf<Values>(
  person: string,
  form: string,
  tab: string,
): readonly FoundDraft<Values>[] {
  const own = draftKey(person, form, tab)
  const all = listDrafts<Values>(draftKey(person, '', null)).filter(({ key }) => key !== own)
  const limit = new Date(Date.now() - DAYS * 86_400_000).toISOString()
  const isOfForm = ({ key }: { readonly key: string }) => key.startsWith(draftKey(person, form, ''))
  const kept = all.filter(({ savedAt }, place) => savedAt >= limit && place < MOST_OF_ALL)
  const ofForm = kept.filter(isOfForm).slice(0, MOST)
  for (const draft of all)
    if (!kept.includes(draft) || (isOfForm(draft) && !ofForm.includes(draft)))
      removeDraft(draft.key)
  return ofForm
}

/** The newest first. */
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

/** Returns false if the storage is full or forbidden. The form works without drafts. */
function put(key: string, draft: StoredDraft<unknown>): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}
