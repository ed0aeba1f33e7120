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
  forgetEnded,
  type ItemText,
  sendWaiting,
  serverKeyOf,
  settleDrafts,
  versionOf,
} from '#web/core/storage/draft-sending.ts'
import {
  type FoundDraft,
  isOwn,
  isSent,
  personOf,
  removeDraft,
  type StoredDraft,
} from '#web/core/storage/draft-store.ts'
import type { DraftOffer, TabDraft } from '#web/core/storage/drafts.ts'
import { createSender, type Sender, type SendingState } from '#web/items/drafts/sender.ts'

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
  /** Gets called when the form's draft was published or discarded elsewhere. It is not stored here by then. */
  readonly onEnded?: (() => void) | undefined
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
  const { kind, itemId, isOn, aside, onTake, onEnded } = options
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
        onStored: (key, version) =>
          setElsewhere((old) => old.filter((one) => one.key !== key || one.version > version)),
        onNewer: (newer) => setElsewhere((old) => [newer, ...without(old, newer.key)]),
      }),
    [storeKey, flush, aside],
  )

  const takeHere = useCallback(
    async (other: Elsewhere, isAutomatic = false) => {
      const taken =
        'values' in other ? other : await api(drafts.read, { key: other.key }, { person })
      const stored = await toStored<Values>(taken)
      if (!isOwn(storeKey)) return
      flush()
      // It was typed meanwhile. The other text stays on offer.
      if (isAutomatic && !isSentOrNone(read())) return
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
    [take, flush, read, others, person, storeKey, sender, onTake],
  )
  const refresh = useCallback(async () => {
    flush()
    // The answer to the last save may be unknown, and its text would seem to be a newer one.
    await sendWaiting(person)
    const own = read()
    const sent = [...(own === null ? [] : [{ ...own, key: storeKey }]), ...others()].filter(isSent)
    const all = await api(drafts.all, {}, { person, unasked: true })
    // The list may have what this page is sending.
    await settleDrafts()
    flush()
    const ended = forgetEnded(sent, new Set(all.map(({ key }) => key)))
    setDropped((old) => [...old, ...ended])
    if (ended.includes(storeKey)) {
      setState({ kind: 'none' })
      onEnded?.()
    }
    const ofForm = all.filter(({ key }) => isOfForm(key, kind, itemId))
    const newer = newerThan([read(), ...others()], ofForm, storeKey)
    const list = itemId === null ? newer : await readAll(newer, person)
    setElsewhere(list)
    return list
  }, [kind, itemId, flush, read, others, person, storeKey, onEnded])
  useOpening({ isOn, storeKey, isNew: itemId === null, read, others, refresh, takeHere })
  useLeaving(isOn, sender, refresh)

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
          await endDraft(person, other.key, { base: other.version, draftId: '' })
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
  isSent(other) && serverKeyOf(other.key, other) === key && versionOf(other) <= version

const isSentOrNone = (stored: StoredDraft<unknown> | null) => stored === null || isSent(stored)

function isOfForm(key: string, kind: 'lesson' | 'course', itemId: number | null): boolean {
  const form = parseDraftKey(key)
  return form?.kind === kind && form.itemId === itemId
}

/** Returns the drafts on the server that are newer than those in this browser. */
const newerThan = (
  local: readonly (StoredDraft<ItemText> | null)[],
  list: readonly ListedDraft[],
  storeKey: string,
) =>
  list.filter(
    ({ key, version }) =>
      !local.some(
        (one) => one !== null && serverKeyOf(storeKey, one) === key && versionOf(one) >= version,
      ),
  )

/** The form of an item compares the version of the item on which they are based. */
const readAll = (list: readonly ListedDraft[], person: string): Promise<Draft[]> =>
  Promise.all(list.map(({ key }) => api(drafts.read, { key }, { person, unasked: true })))

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
  readonly takeHere: (other: Elsewhere, isAutomatic: boolean) => Promise<void>
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
      const list = await refresh()
      const own = read()
      const ownKey = own === null ? null : serverKeyOf(storeKey, own)
      // Typed text that the server doesn't have stays in the form; the others are offered.
      if (!isSentOrNone(own)) return
      const newer = isNew ? list.find(({ key }) => key === ownKey) : undefined
      const chosen = wanted === ownKey ? undefined : list.find(({ key }) => key === wanted)
      const copy = others().find((one) => isSent(one) && serverKeyOf(one.key, one) === wanted)
      if (chosen !== undefined) await takeHere(chosen, true)
      else if (copy !== undefined && wanted !== null && wanted !== ownKey)
        await takeHere(await api(drafts.read, { key: wanted }, { person }), true)
      else if (newer !== undefined) await takeHere(newer, true)
    }
    // Without the server, the form has what the browser has.
    open().catch(() => {})
  }, [isOn, isNew, storeKey, read, others, refresh, takeHere, wanted, person])
}

/** Sends when the page is hidden or left, and looks for newer drafts when the person comes back. */
function useLeaving(isOn: boolean, sender: Sender, refresh: () => Promise<unknown>): void {
  useEffect(() => {
    if (!isOn) return undefined
    const stop = sender.start()
    const leave = () => sender.send(true)
    const look = () => {
      if (document.visibilityState === 'hidden') leave()
      else refresh().catch(() => {})
    }
    const again = () => sender.send()
    window.addEventListener('pagehide', leave)
    window.addEventListener('online', again)
    document.addEventListener('visibilitychange', look)
    return () => {
      window.removeEventListener('pagehide', leave)
      window.removeEventListener('online', again)
      document.removeEventListener('visibilitychange', look)
      stop()
    }
  }, [isOn, sender, refresh])
}
