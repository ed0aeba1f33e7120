/** Drafts in localStorage, under `kb:{person}:draft:{form}@{tab}`, which signing out deletes. */
import { currentPerson } from '#web/core/session.ts'
import { isRecord } from '#web/core/shape.ts'
import { newDraftId } from '#web/core/storage/draft-id.ts'

/** The picture of a draft: its id in this browser and its URL, or null if it can't be uploaded. */
export interface UploadedPicture {
  readonly id: string
  readonly url: string | null
}

/** What the server has of a lesson's or course's draft. */
export interface DraftSync {
  readonly key: string
  /** The version on which this text is based; 0 if the server has none. */
  readonly version: number
  /** `savedAt` of the text that the server has. */
  readonly sentAt: string | null
  readonly picture?: UploadedPicture | undefined
  /** True while the text is as another device left it. */
  readonly isFromElsewhere?: boolean | undefined
}

export interface StoredDraft<Values> {
  readonly savedAt: string
  readonly values: Values
  readonly sync?: DraftSync | undefined
}

export interface FoundDraft<Values> extends StoredDraft<Values> {
  readonly key: string
}

/** True if the server has this text. */
export const isSent = ({ savedAt, sync }: StoredDraft<unknown>): boolean => sync?.sentAt === savedAt

/** Drafts are deleted after this many days. */
const DAYS = 30
/** Maximum number of drafts of one form in other tabs. Older ones are deleted. */
const MOST = 5
/** Maximum number of drafts of one person. */
const MOST_OF_ALL = 50

/** `tab` is null for a draft that all tabs share. */
export const draftKey = (person: string, form: string, tab: string | null): string =>
  `kb:${person}:draft:${form}${tab === null ? '' : `@${tab}`}`

/** The id of the person to whom a stored draft belongs. */
export const personOf = (key: string): string => key.split(':')[1] ?? ''

/** False after a sign-out, or when another tab has signed somebody else in. */
export const isOwn = (key: string): boolean => currentPerson()?._id === personOf(key)

/** Returns null if there is none, or it cannot be parsed. */
export function readDraft<Values>(key: string): StoredDraft<Values> | null {
  try {
    const stored: unknown = JSON.parse(unstored.get(key) ?? localStorage.getItem(key) ?? 'null')
    // Only `writeDraft` writes under this key.
    return isRecord(stored) && typeof stored['savedAt'] === 'string' && 'values' in stored
      ? (stored as unknown as StoredDraft<Values>)
      : null
  } catch {
    return null
  }
}

export function writeDraft(key: string, values: unknown): void {
  const sync = readDraft(key)?.sync
  put(key, { savedAt: new Date().toISOString(), values, sync })
}

export function storeDraft(key: string, { savedAt, values, sync }: StoredDraft<unknown>): void {
  put(key, { savedAt, values, sync })
}

export function removeDraft(key: string): void {
  unstored.delete(key)
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
  unstored.delete(newKey)
  put(key, draft)
  return null
}

/**
 * Lists the form's drafts of other tabs, the newest first. Deletes those that are too old or too many, beginning with
 * those that the server has.
 */
export function draftsOf<Values>(
  person: string,
  form: string,
  tab: string,
): readonly FoundDraft<Values>[] {
  const own = draftKey(person, form, tab)
  const all = listDrafts<Values>(draftKey(person, '', null)).filter(({ key }) => key !== own)
  const limit = new Date(Date.now() - DAYS * 86_400_000).toISOString()
  const isOfForm = ({ key }: { readonly key: string }) => key.startsWith(draftKey(person, form, ''))
  const unsentFirst = [...all.filter((one) => !isSent(one)), ...all.filter(isSent)]
  const kept = unsentFirst.filter(({ savedAt }) => savedAt >= limit).slice(0, MOST_OF_ALL)
  const ofForm = new Set(kept.filter(isOfForm).slice(0, MOST))
  for (const draft of all)
    if (!kept.includes(draft) || (isOfForm(draft) && !ofForm.has(draft))) removeDraft(draft.key)
  return all.filter((draft) => ofForm.has(draft))
}

/** The drafts whose keys begin with `start`, the newest first. */
export function listDrafts<Values>(start: string): FoundDraft<Values>[] {
  return listKeys(start)
    .flatMap((key) => {
      const draft = readDraft<Values>(key)
      return draft === null ? [] : [{ ...draft, key }]
    })
    .sort((one, other) => (one.savedAt < other.savedAt ? 1 : -1))
}

/** The keys that begin with `start`, also those of drafts for which the storage has no room. */
export function listKeys(start: string): string[] {
  return [...new Set([...storedKeys(), ...unstored.keys()])].filter((key) => key.startsWith(start))
}

function storedKeys(): string[] {
  try {
    return Object.keys(localStorage)
  } catch {
    return []
  }
}

/** Call it when the person signs out. `clearSession` deletes what is in the storage. */
export function forgetUnstored(person: string): void {
  for (const key of unstored.keys()) if (personOf(key) === person) unstored.delete(key)
}

/** Drafts for which the storage has too little room. They last as long as the page, and can still be sent to the server. */
const unstored = new Map<string, string>()

/** Returns false if the storage is full or forbidden. */
function put(key: string, draft: StoredDraft<unknown>): boolean {
  const text = JSON.stringify(draft)
  if (setItem(key, text)) {
    unstored.delete(key)
    return true
  }
  unstored.set(key, text)
  // What the server has can be asked for again.
  const { savedAt, values } = draft
  return setItem(key, JSON.stringify({ savedAt, values }))
}

function setItem(key: string, text: string): boolean {
  try {
    localStorage.setItem(key, text)
    return true
  } catch {
    return false
  }
}
