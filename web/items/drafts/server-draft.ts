/** Connects the form of a lesson or course with its draft on the server, and offers what other devices saved there. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { type Draft, drafts, type ListedDraft, parseDraftKey } from '#contract/drafts.ts'
import { api } from '#web/core/api.ts'
import { useText } from '#web/core/i18n.tsx'
import { newDraftId } from '#web/core/storage/draft-id.ts'
import { putPicture } from '#web/core/storage/draft-pictures.ts'
import {
  endDraft,
  fetchPicture,
  isSent,
  type ItemText,
  sendWaiting,
  serverKeyOf,
  settleDrafts,
  versionOf,
} from '#web/core/storage/draft-sending.ts'
import {
  type FoundDraft,
  isOwn,
  personOf,
  removeDraft,
  type StoredDraft,
} from '#web/core/storage/draft-store.ts'
import type { DraftOffer, TabDraft } from '#web/core/storage/drafts.ts'
import { createSender, type SendingState } from '#web/items/drafts/sender.ts'

interface ServerDraftOptions<Values> {
  readonly kind: 'lesson' | 'course'
  /** Null for a new item. */
  readonly itemId: number | null
  /** False until the browser's storage can be read. */
  readonly isOn: boolean
  /** The draft that the form has put aside, or null. */
  readonly aside: string | null
  /** Shows a draft that was taken. It is stored as the form's own by then. */
  readonly onTake: (values: Values) => void
}

export interface ServerDraft<Values> {
  readonly state: SendingState
  /** Drafts that were saved elsewhere. Their values are known if they edit an item. */
  readonly offers: readonly DraftOffer<Values | undefined>[]
  /** True for a draft of another tab of which the form or the server has the same or a newer version. */
  readonly isOvertaken: (other: FoundDraft<Values>) => boolean
  readonly changed: () => void
  readonly end: () => void
}

type Elsewhere = ListedDraft | Draft

export function useServerDraft<Values extends ItemText>(
  draft: TabDraft<Values>,
  options: ServerDraftOptions<Values>,
): ServerDraft<Values> {
  const { kind, itemId, isOn, aside, onTake } = options
  const { t, formatMoment } = useText()
  const [state, setState] = useState<SendingState>({ kind: 'none' })
  const [elsewhere, setElsewhere] = useState<readonly Elsewhere[]>([])
  const [dropped, setDropped] = useState<readonly string[]>([])
  const { key: storeKey, flush, read, others, take } = draft
  const person = personOf(storeKey)
  const sender = useMemo(
    () =>
      createSender({
        storeKey,
        flush,
        aside,
        onState: setState,
        onNewer: (newer) => setElsewhere((old) => [newer, ...without(old, newer.key)]),
      }),
    [storeKey, flush, aside],
  )

  const takeHere = useCallback(
    async (other: Elsewhere) => {
      const taken =
        'values' in other ? other : await api(drafts.read, { key: other.key }, { person })
      const stored = await toStored<Values>(taken)
      if (!isOwn(storeKey)) return
      take({ ...stored.draft, key: '' })
      if (stored.picture !== null)
        await putPicture(storeKey, stored.picture.id, stored.picture.file)
      const same = others().filter((one) => isCopy(one, taken))
      for (const { key } of same) removeDraft(key)
      setDropped((old) => [...old, ...same.map(({ key }) => key)])
      setElsewhere((old) => without(old, taken.key))
      setState({ kind: 'none' })
      sender.resolve()
      onTake(stored.draft.values)
    },
    [take, others, person, storeKey, sender, onTake],
  )
  const refresh = useCallback(async () => {
    const list = await fetchNewer(kind, itemId, () => [read(), ...others()], storeKey)
    setElsewhere(list)
    return list
  }, [kind, itemId, read, others, storeKey])
  useOpening({ isOn, storeKey, isNew: itemId === null, read, others, refresh, takeHere })
  useLeaving(isOn, sender.send, refresh)

  return {
    state,
    offers: elsewhere.map((other) => ({
      key: other.key,
      savedAt: other.savedAt,
      text: t('draftElsewhere', { time: formatMoment(other.savedAt) }),
      values: 'values' in other ? (other.values as unknown as Values) : undefined,
      onTake: () => void takeHere(other).catch(() => refresh().catch(() => {})),
      onDrop: () => {
        setElsewhere((old) => without(old, other.key))
        const end = async () => {
          await endDraft(person, other.key, other.version)
          sender.resolve()
          await refresh()
        }
        end().catch(() => {})
      },
    })),
    isOvertaken: (other) => dropped.includes(other.key) || isOvertaken(other, elsewhere),
    changed: sender.changed,
    end: sender.end,
  }
}

const without = (list: readonly Elsewhere[], key: string) => list.filter((one) => one.key !== key)

const isOvertaken = (other: FoundDraft<ItemText>, list: readonly Elsewhere[]) =>
  isSent(other) &&
  list.some(
    ({ key, version }) => key === serverKeyOf(other.key, other) && version > versionOf(other),
  )

const isCopy = (other: FoundDraft<ItemText>, { key, version }: Draft) =>
  isSent(other) && serverKeyOf(other.key, other) === key && versionOf(other) === version

/** Returns the drafts of this form on the server that are newer than those in this browser. */
async function fetchNewer(
  kind: 'lesson' | 'course',
  itemId: number | null,
  readLocal: () => readonly (StoredDraft<ItemText> | null)[],
  storeKey: string,
): Promise<readonly Elsewhere[]> {
  const options = { person: personOf(storeKey), unasked: true }
  const list = await api(drafts.all, {}, options)
  // The list may have what this page is sending.
  await settleDrafts()
  const local = readLocal()
  const newer = list.filter(({ key, version }) => {
    const form = parseDraftKey(key)
    if (form?.kind !== kind || form.itemId !== itemId) return false
    return !local.some(
      (one) => one !== null && serverKeyOf(storeKey, one) === key && versionOf(one) >= version,
    )
  })
  if (itemId === null) return newer
  // The form compares the version of the item on which they are based.
  return Promise.all(newer.map(({ key }) => api(drafts.read, { key }, options)))
}

/** Each device publishes with an id of its own, because another one may still send the form. */
async function toStored<Values extends ItemText>({ key, version, savedAt, values }: Draft) {
  const url = values['picture']
  const file = typeof url === 'string' ? await fetchPicture(url) : undefined
  const picture =
    typeof url === 'string' && file !== undefined ? { id: newDraftId(), file, url } : null
  // Only forms of the same kind write under this key.
  const here = {
    ...values,
    draftId: newDraftId(),
    picture: picture?.id ?? null,
  } as unknown as Values
  const sync = {
    key,
    version,
    sentAt: savedAt,
    picture: picture === null ? undefined : { id: picture.id, url: picture.url },
    isFromElsewhere: true,
  }
  return { draft: { savedAt, values: here, sync }, picture }
}

interface OpeningOptions {
  readonly isOn: boolean
  readonly isNew: boolean
  readonly storeKey: string
  readonly read: () => StoredDraft<ItemText> | null
  readonly others: () => readonly FoundDraft<ItemText>[]
  readonly refresh: () => Promise<readonly Elsewhere[]>
  readonly takeHere: (other: Elsewhere) => Promise<void>
}

/** Takes the draft that the address names, and a newer version of the draft with which a new item's form begins. */
function useOpening(options: OpeningOptions): void {
  const { isOn, isNew, storeKey, read, others, refresh, takeHere } = options
  const wanted = useSearchParams()[0].get('draft')
  const person = personOf(storeKey)
  const isOpened = useRef(false)
  useEffect(() => {
    if (!isOn || isOpened.current) return
    isOpened.current = true
    const open = async () => {
      // The answer to the last save is unknown where the page was left before it came.
      await sendWaiting(person)
      const list = await refresh()
      const own = read()
      const ownKey = own === null ? null : serverKeyOf(storeKey, own)
      // Typed text that the server doesn't have stays in the form; the others are offered.
      if (own !== null && !isSent(own)) return
      const newer = isNew ? list.find(({ key }) => key === ownKey) : undefined
      const chosen = wanted === ownKey ? undefined : list.find(({ key }) => key === wanted)
      const copy = others().find((one) => isSent(one) && serverKeyOf(one.key, one) === wanted)
      if (chosen !== undefined) await takeHere(chosen)
      else if (copy !== undefined && wanted !== null && wanted !== ownKey)
        await takeHere(await api(drafts.read, { key: wanted }, { person }))
      else if (newer !== undefined) await takeHere(newer)
    }
    // Without the server, the form has what the browser has.
    open().catch(() => {})
  }, [isOn, isNew, storeKey, read, others, refresh, takeHere, wanted, person])
}

/** Sends when the page is hidden or left, and looks for newer drafts when the person comes back. */
function useLeaving(
  isOn: boolean,
  send: (leaves?: boolean) => void,
  refresh: () => Promise<unknown>,
): void {
  useEffect(() => {
    if (!isOn) return undefined
    const leave = () => send(true)
    const look = () => {
      if (document.visibilityState === 'hidden') leave()
      else refresh().catch(() => {})
    }
    const again = () => send()
    window.addEventListener('pagehide', leave)
    window.addEventListener('online', again)
    document.addEventListener('visibilitychange', look)
    return () => {
      window.removeEventListener('pagehide', leave)
      window.removeEventListener('online', again)
      document.removeEventListener('visibilitychange', look)
      send()
    }
  }, [isOn, send, refresh])
}
