/**
 * Sends the drafts of lessons and courses to the server. The browser's copy says on which version it is based, and the
 * server refuses it if there is a newer one.
 */
import { drafts } from '#contract/drafts.ts'
import { files } from '#contract/files.ts'
import { api } from '#web/core/api.ts'
import { type End, removeEnded, repeatEnds, storeEnd } from '#web/core/storage/draft-ends.ts'
import { isWrittenBy, type Outcome, outcomeOf } from '#web/core/storage/draft-outcome.ts'
import { readPicture, removePicture } from '#web/core/storage/draft-pictures.ts'
import {
  draftKey,
  type FoundDraft,
  isSent,
  listDrafts,
  personOf,
  readDraft,
  removeDraft,
  type StoredDraft,
  storeDraft,
  type UploadedPicture,
} from '#web/core/storage/draft-store.ts'

/** The fields that every draft of an item has, among those of its form. */
export interface ItemText {
  readonly draftId: string
  /** The id of the picture in this browser. On the server it is the URL of the uploaded picture. */
  readonly picture: string | null
}

/** Bodies of requests that outlive their page may have 64 KB. */
const KEEPALIVE_BYTES = 60_000
/** Signing out waits at most this long, in ms. */
const LAST_SAVE_MS = 2000

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
  const sending = sendAfterEnds(storeKey, stored, leaves)
  running.add(sending)
  const outcome = await sending
  running.delete(sending)
  return outcome
}

async function sendAfterEnds(
  storeKey: string,
  stored: StoredDraft<ItemText>,
  leaves: boolean,
): Promise<Outcome> {
  if (!leaves) await repeatEnds(personOf(storeKey))
  const outcome = await send(storeKey, stored, leaves).catch(outcomeOf)
  const newer = outcome.kind === 'newer' ? outcome.conflict.draft : null
  const { draftId } = stored.values
  if (newer === null || !isWrittenBy(newer, draftId)) return outcome
  // The answer to an earlier save was lost. The stored text is newer than what this page has just sent, or the same.
  if (versionOf(readDraft(storeKey)) < newer.version) rebaseDraft(storeKey, newer.version)
  const now = readDraft<ItemText>(storeKey)
  if (now?.values.draftId !== draftId) return outcome
  return send(storeKey, now, leaves).catch(outcomeOf)
}

async function send(
  storeKey: string,
  stored: StoredDraft<ItemText>,
  leaves: boolean,
): Promise<Outcome> {
  const key = serverKeyOf(storeKey, stored)
  const { savedAt, values } = stored
  // A draft with `sync` may be on the server, even if no answer comes.
  if (stored.sync === undefined) rebaseDraft(storeKey, 0)
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
  const isRefused = id !== null && url === null
  return {
    kind: 'stored',
    ...answer,
    picture: isWhole ? (isRefused ? 'refused' : 'sent') : 'later',
  }
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

/** Returns undefined if it may be uploaded later, and no URL if it never can be. */
async function uploadPicture(
  storeKey: string,
  id: string,
  leaves: boolean,
): Promise<UploadedPicture | undefined> {
  if (leaves) return undefined
  const file = await readPicture(storeKey, id)
  if (file === undefined) return { id, url: null }
  try {
    const { url } = await api(
      files.uploadResource,
      { file },
      { person: personOf(storeKey), unasked: true },
    )
    return { id, url }
  } catch (error) {
    return outcomeOf(error).kind === 'away' ? undefined : { id, url: null }
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

/** Ends a draft unless somebody else has saved a version after that of `end`. Never rejects. */
export async function endDraft(person: string, key: string, end: End): Promise<void> {
  storeEnd(person, key, end)
  await settleDrafts()
  await removeEnded(person, key, end)
}

/** Sends what could not be sent before. Drafts with a newer version on the server wait until their form is opened. */
export async function sendWaiting(person: string): Promise<void> {
  await repeatEnds(person)
  for (const { key, ...stored } of newestDrafts(person))
    if (!isSent(stored)) await sendDraft(key, stored)
}

/** Sends all drafts before their person signs out, and removes what the server has from this browser. */
export async function sendLast(person: string): Promise<void> {
  const waiting = newestDrafts(person).filter((draft) => !isSent(draft))
  const sending = Promise.all([
    repeatEnds(person),
    ...waiting.map(({ key, ...stored }) => sendDraft(key, stored)),
  ])
  await Promise.race([sending, new Promise((resolve) => setTimeout(resolve, LAST_SAVE_MS))])
  for (const draft of itemDrafts(person)) if (isSent(draft)) forget(draft)
}

/** Removes the browser's copies of a draft that was discarded. A text that the server doesn't have stays. */
export function forgetSent(person: string, key: string): void {
  for (const draft of itemDrafts(person))
    if (serverKeyOf(draft.key, draft) === key && isSent(draft)) forget(draft)
}

/**
 * Removes drafts that were published or discarded elsewhere, and returns their keys in the storage.
 * @param sent what the server had before it was asked which drafts it has
 * @param listed the keys of its drafts
 */
export function forgetEnded(
  sent: readonly FoundDraft<ItemText>[],
  listed: ReadonlySet<string>,
): readonly string[] {
  const ended = sent.filter((draft) => {
    const now = readDraft<ItemText>(draft.key)
    const isSame = now !== null && isSent(now) && versionOf(now) === versionOf(draft)
    return isSame && !listed.has(serverKeyOf(draft.key, now))
  })
  for (const draft of ended) forget(draft)
  return ended.map(({ key }) => key)
}

function forget({ key }: FoundDraft<ItemText>): void {
  removeDraft(key)
  void removePicture(key)
}

const itemDrafts = (person: string): readonly FoundDraft<ItemText>[] =>
  ['lesson', 'course'].flatMap((kind) => listDrafts(draftKey(person, `${kind}:`, null)))

/** Of several texts with one key, such as those of two tabs, the server has only the one with the highest version. */
function newestDrafts(person: string): readonly FoundDraft<ItemText>[] {
  const newest = new Map<string, FoundDraft<ItemText>>()
  for (const draft of itemDrafts(person)) {
    const key = serverKeyOf(draft.key, draft)
    if (versionOf(draft) > versionOf(newest.get(key) ?? null)) newest.set(key, draft)
  }
  return [...newest.values()]
}

/** The version on which a draft is based; 0 if the server has none, and -1 without a draft. */
export const versionOf = (draft: StoredDraft<unknown> | null): number =>
  draft === null ? -1 : (draft.sync?.version ?? 0)
