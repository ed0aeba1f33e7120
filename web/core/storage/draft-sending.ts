/**
 * Sends the drafts of lessons and courses to the server. The browser's copy says on which version it is based, and the
 * server refuses it if there is a newer one.
 */
import { DraftConflict, drafts } from '#contract/drafts.ts'
import { files } from '#contract/files.ts'
import { ApiError } from '#web/core/api-error.ts'
import { api } from '#web/core/api.ts'
import { readPicture, removePicture } from '#web/core/storage/draft-pictures.ts'
import {
  draftKey,
  type FoundDraft,
  listDrafts,
  personOf,
  readDraft,
  removeDraft,
  type StoredDraft,
  storeDraft,
} from '#web/core/storage/draft-store.ts'

/** The fields that every draft of an item has, among those of its form. */
export interface ItemText {
  readonly draftId: string
  /** The id of the picture in this browser. On the server it is the URL of the uploaded picture. */
  readonly picture: string | null
}

export type Outcome =
  | { readonly kind: 'stored'; readonly version: number; readonly savedAt: string }
  /** The draft has a newer version, or was ended. */
  | { readonly kind: 'newer'; readonly conflict: DraftConflict }
  | { readonly kind: 'refused'; readonly message: string }
  /** The server was not reached, or the session has ended. */
  | { readonly kind: 'away' }

/** Bodies of requests that outlive their page may have 64 KB. */
const KEEPALIVE_BYTES = 60_000
/** Signing out waits at most this long, in ms. */
const LAST_SAVE_MS = 2000

export const isSent = ({ savedAt, sync }: StoredDraft<unknown>): boolean => sync?.sentAt === savedAt

/** The key on the server: that of the stored draft, or else that of its form. */
export function serverKeyOf(storeKey: string, { values, sync }: StoredDraft<ItemText>): string {
  if (sync !== undefined) return sync.key
  const [, , , kind = '', item = ''] = storeKey.split('@')[0]?.split(':') ?? []
  return item === 'new' ? `${kind}-new-${values.draftId}` : `${kind}-${item}`
}

const running = new Set<Promise<Outcome>>()

/** Waits until what is being sent was answered, and the stored drafts say so. */
export async function settleDrafts(): Promise<void> {
  await Promise.all(running)
}

/** Sends a draft as it is stored now, and never rejects. With `leaves`, the request outlives the page. */
export async function sendDraft(
  storeKey: string,
  stored: StoredDraft<ItemText>,
  leaves = false,
): Promise<Outcome> {
  const sending = sendAgainIfOwn(storeKey, stored, leaves)
  running.add(sending)
  const outcome = await sending
  running.delete(sending)
  return outcome
}

/** This text may have reached the server without its picture, and its answer not the page, which was left. */
async function sendAgainIfOwn(
  storeKey: string,
  stored: StoredDraft<ItemText>,
  leaves: boolean,
): Promise<Outcome> {
  const outcome = await send(storeKey, stored, leaves).catch(outcomeOf)
  const newer = outcome.kind === 'newer' ? outcome.conflict.draft : null
  const wordsOf = (values: object) => JSON.stringify({ ...values, picture: null, draftId: '' })
  if (newer === null || wordsOf(newer.values) !== wordsOf(stored.values)) return outcome
  const key = serverKeyOf(storeKey, stored)
  const sync = { key, version: newer.version, sentAt: null, picture: stored.sync?.picture }
  return send(storeKey, { ...stored, sync }, leaves).catch(outcomeOf)
}

async function send(
  storeKey: string,
  stored: StoredDraft<ItemText>,
  leaves: boolean,
): Promise<Outcome> {
  const key = serverKeyOf(storeKey, stored)
  const { savedAt, values } = stored
  const { version: base, picture: known } = stored.sync ?? { version: 0 }
  const id = values.picture
  const picture =
    id === null || known?.id === id ? known : await uploadPicture(storeKey, id, leaves)
  const isWhole = id === null || picture?.id === id
  const url = id !== null && isWhole ? (picture?.url ?? null) : null
  const sent = { key, base, values: { ...values, picture: url } }
  const keepalive = leaves && JSON.stringify(sent).length * 2 < KEEPALIVE_BYTES
  const person = personOf(storeKey)
  const answer = await api(drafts.save, sent, { person, unasked: true, keepalive })
  // Without its picture the draft counts as unsent, so the picture follows later.
  const sentAt = isWhole ? savedAt : null
  changeSync(storeKey, savedAt, { key, version: answer.version, sentAt, picture })
  return { kind: 'stored', ...answer }
}

function outcomeOf(error: unknown): Outcome {
  if (!(error instanceof ApiError)) return { kind: 'away' }
  const { status, message, body } = error
  const conflict = status === 409 ? DraftConflict.safeParse(body).data : undefined
  if (conflict !== undefined) return { kind: 'newer', conflict }
  const isAway = status === 0 || status === 401 || status === 429 || status >= 500
  return isAway ? { kind: 'away' } : { kind: 'refused', message }
}

/** The draft may have been changed, moved or dropped meanwhile. */
function changeSync(
  storeKey: string,
  savedAt: string,
  sync: NonNullable<StoredDraft<unknown>['sync']>,
): void {
  const now = readDraft<ItemText>(storeKey)
  if (now === null || serverKeyOf(storeKey, now) !== sync.key) return
  storeDraft(storeKey, {
    ...now,
    sync: { ...sync, sentAt: now.savedAt === savedAt ? sync.sentAt : null },
  })
}

/** Bases a draft on a version that the server has reported. */
export function rebaseDraft(storeKey: string, version: number): void {
  const stored = readDraft<ItemText>(storeKey)
  if (stored === null) return
  const key = serverKeyOf(storeKey, stored)
  const picture = stored.sync?.picture
  storeDraft(storeKey, { ...stored, sync: { key, version, sentAt: null, picture } })
}

/** Returns undefined if it can't be uploaded now. The draft is then sent without it. */
async function uploadPicture(storeKey: string, id: string, leaves: boolean) {
  if (leaves) return undefined
  try {
    const file = await readPicture(storeKey, id)
    if (file === undefined) return undefined
    const { url } = await api(
      files.uploadResource,
      { file },
      { person: personOf(storeKey), unasked: true },
    )
    return { id, url }
  } catch {
    return undefined
  }
}

/** Returns the picture of a draft that was taken from the server, or undefined if it can't be had. */
export async function fetchPicture(url: string): Promise<File | undefined> {
  try {
    const answer = await fetch(url)
    if (!answer.ok) return undefined
    const name = decodeURIComponent(url.split('/').at(-1) ?? '')
    const type = /\.png$/i.test(name) ? 'image/png' : 'image/jpeg'
    return new File([await answer.blob()], name, { type })
  } catch {
    return undefined
  }
}

/** Ends a draft unless it is newer than `base`. A save that is still running is ended too. */
export async function endDraft(
  person: string,
  key: string,
  base: number,
  running?: Promise<Outcome>,
): Promise<void> {
  const options = { person, unasked: true, keepalive: true }
  const remove = (version: number) =>
    api(drafts.remove, { key, base: version }, options).catch(() => null)
  await remove(base)
  const outcome = await running
  if (outcome?.kind === 'stored') await remove(outcome.version)
}

/** Sends what could not be sent before. Drafts with a newer version on the server wait until their form is opened. */
export async function sendWaiting(person: string): Promise<void> {
  for (const { key, ...stored } of newestDrafts(person))
    if (!isSent(stored)) await sendDraft(key, stored)
}

/** Sends all drafts before their person signs out, and removes what the server has from this browser. */
export async function sendLast(person: string): Promise<void> {
  const waiting = newestDrafts(person).filter((draft) => !isSent(draft))
  const sending = Promise.all(waiting.map(({ key, ...stored }) => sendDraft(key, stored)))
  await Promise.race([sending, new Promise((resolve) => setTimeout(resolve, LAST_SAVE_MS))])
  for (const draft of newestDrafts(person)) {
    if (!isSent(draft)) continue
    removeDraft(draft.key)
    void removePicture(draft.key)
  }
}

/** Removes the browser's copies of a draft that was discarded. A text that the server doesn't have stays. */
export function forgetSent(person: string, key: string): void {
  for (const draft of newestDrafts(person)) {
    if (serverKeyOf(draft.key, draft) !== key || !isSent(draft)) continue
    removeDraft(draft.key)
    void removePicture(draft.key)
  }
}

/** Of several texts with one key, such as those of two tabs, the server has only the one with the highest version. */
function newestDrafts(person: string): readonly FoundDraft<ItemText>[] {
  const all = ['lesson', 'course'].flatMap((kind) =>
    listDrafts<ItemText>(draftKey(person, `${kind}:`, null)),
  )
  const newest = new Map<string, FoundDraft<ItemText>>()
  for (const draft of all) {
    const key = serverKeyOf(draft.key, draft)
    if (versionOf(draft) > versionOf(newest.get(key) ?? null)) newest.set(key, draft)
  }
  return [...newest.values()]
}

/** The version on which a draft is based; 0 if the server has none, and -1 without a draft. */
export const versionOf = (draft: StoredDraft<unknown> | null): number =>
  draft === null ? -1 : (draft.sync?.version ?? 0)
