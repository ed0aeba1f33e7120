/** The draft of a lesson's or course's form. drafts.ts stores its text, and draft-pictures.ts its picture. */
import { useCallback, useEffect, useMemo, useRef } from 'react'
import type { FieldValues, SetValueConfig, UseFormReturn } from 'react-hook-form'
import {
  movePicture,
  putPicture,
  readPicture,
  removePicture,
  sweepPictures,
} from '#web/core/storage/draft-pictures.ts'
import { newDraftId } from '#web/core/storage/draft-id.ts'
import { endDraft, type ItemText, serverKeyOf, versionOf } from '#web/core/storage/draft-sending.ts'
import {
  draftKey,
  type FoundDraft,
  personOf,
  readDraft,
  type StoredDraft,
  storeDraft,
} from '#web/core/storage/draft-store.ts'
import { type TabDraft, useTabDraft } from '#web/core/storage/drafts.ts'
import { tabId } from '#web/core/storage/tab.ts'
import { useHydrated } from '#web/core/hydrated.ts'
import { useSession } from '#web/core/session.ts'

interface Origin {
  readonly draftId: string
  /** The item's version when the form was opened; 0 for a new one. */
  readonly version: number
}

/** The fields that a draft's text leaves out. */
export interface ItemValues {
  image?: File | undefined
  /** Asked of an administrator who edits somebody else's item. */
  reason: string
}

/** A drawn picture is drawn again from its seed; any other is stored under an id. */
export type DraftOf<Values extends ItemValues> = Omit<Values, keyof ItemValues> &
  Origin & {
    readonly paper: string | null
    readonly picture: string | null
  }

interface DraftPicture {
  /** Stores the form's picture, or removes it if undefined. Returns its id, or null. */
  readonly save: (file: File | undefined) => string | null
  /** Returns undefined when the picture no longer exists. */
  readonly read: (id: string) => Promise<File | undefined>
  readonly drop: () => void
  /** Moves the form's picture to the draft `aside`, and the picture of the draft `other` to the form. */
  readonly move: (aside: string | null, other: string | null) => void
}

export interface ItemDraft<Values> extends TabDraft<Values> {
  readonly picture: DraftPicture
}

/** The draft of a form such as `lesson:new` or `course:7`. Dropping it also drops its picture. */
export function useItemDraft<Values extends ItemText>(form: string): ItemDraft<Values> {
  const words = useTabDraft<Values>(form)
  const person = useSession()?._id
  const hydrated = useHydrated()
  // Guests see these forms only during hydration, and nothing is stored for them.
  const key = person === undefined || !hydrated ? null : draftKey(person, form, tabId())
  const picture = useMemo(() => pictureOf(key), [key])
  useEffect(() => {
    const sweep = () => void sweepPictures()
    sweep()
    // The form also unmounts when another tab signs out, which has deleted the text by then.
    return sweep
  }, [key])
  const { key: storeKey, flush, read, save, drop, others, take, putAside, dropOther } = words
  return useMemo(
    () => ({
      key: storeKey,
      flush,
      read,
      save,
      drop: () => {
        drop()
        picture.drop()
      },
      others,
      take: (other) => {
        const aside = take({ ...other, sync: syncOfTaken(other, read()) })
        if (aside !== null) renewId(aside)
        picture.move(aside, other.key)
        return aside
      },
      putAside: () => {
        const aside = putAside()
        if (aside !== null) picture.move(aside, null)
        return aside
      },
      dropOther: (other) => {
        // It may have been sent since it was offered.
        const sync = readDraft(other.key)?.sync
        dropOther(other)
        void removePicture(other.key)
        if (sync !== undefined) {
          const end = { base: sync.version, draftId: other.values.draftId }
          void endDraft(personOf(other.key), sync.key, end)
        }
      },
      picture,
    }),
    [storeKey, flush, read, save, drop, others, take, putAside, dropOther, picture],
  )
}

interface SavedForm<Values extends FieldValues & ItemValues> extends Origin {
  readonly form: UseFormReturn<Values>
  /** Draws the picture of a seed; undefined where none is drawn. */
  readonly draw: ((seed: string) => Promise<File>) | undefined
  readonly setImage: SetImage<Values>
  readonly onSaved: () => void
}

/** Sets the form's picture. The form's own module provides it, because only it knows the type of all fields. */
export type SetImage<Values extends FieldValues> = (
  form: UseFormReturn<Values>,
  image: File | undefined,
  options: SetValueConfig,
) => void

interface DraftSaving<Values extends ItemValues> {
  /** Sets a picture that was chosen, or drawn from the seed `paper`; undefined removes it. */
  readonly choosePicture: (image: File | undefined, paper: string | null) => void
  /** Restores a draft's picture, unless another was chosen in this form. */
  readonly restorePicture: (values: DraftOf<Values>) => void
}

const CHOSEN = { shouldDirty: true, shouldTouch: true, shouldValidate: true } as const
const RESTORED = { shouldValidate: true } as const

/** Saves the form as a draft after every change. */
export function useDraftSaving<Values extends FieldValues & ItemValues>(
  { save, picture }: ItemDraft<DraftOf<Values>>,
  { form, draftId, version, draw, setImage, onSaved }: SavedForm<Values>,
): DraftSaving<Values> {
  const paper = useRef<string | null>(null)
  const isChosen = useRef(false)
  useEffect(() => {
    return form.subscribe({
      formState: { values: true, isDirty: true },
      callback: ({ values, isDirty }) => {
        const { image, reason: _reason, ...words } = values
        // The picture is stored even if nothing else has changed, so that a removed one doesn't come back.
        const id = picture.save(paper.current === null ? image : undefined)
        if (isDirty !== true) return
        save({ ...words, draftId, version, paper: paper.current, picture: id })
        onSaved()
      },
    })
  }, [form, save, picture, draftId, version, onSaved])
  return {
    choosePicture: useCallback(
      (image, seed) => {
        isChosen.current = true
        // Set before the form's value, because the change of that value saves the draft.
        paper.current = seed
        setImage(form, image, CHOSEN)
      },
      [form, setImage],
    ),
    restorePicture: useCallback(
      (values) => {
        if (isChosen.current) return
        const { paper: seed, picture: id } = values
        paper.current = seed
        const restore = async () => {
          if (seed !== null) return draw?.(seed)
          return typeof id === 'string' ? picture.read(id) : undefined
        }
        restore().then(
          (image) => {
            if (image !== undefined && !isChosen.current) setImage(form, image, RESTORED)
          },
          // The form then says that a picture is missing.
          () => {},
        )
      },
      [draw, form, picture, setImage],
    ),
  }
}

/**
 * A draft keeps its key on the server, whatever its new form's id. If it replaces another one of the same key, it is
 * based on the newer version of the two.
 */
function syncOfTaken(taken: FoundDraft<ItemText>, own: StoredDraft<ItemText> | null) {
  // It may have been sent since it was offered. One from the server is not stored here.
  const stored = readDraft<ItemText>(taken.key)
  const key = serverKeyOf(taken.key, stored ?? taken)
  const sync = (stored ?? taken).sync ?? { key, version: 0, sentAt: null }
  const isOlder = sync.key === own?.sync?.key && versionOf(own) > sync.version
  return isOlder ? { ...sync, version: versionOf(own), sentAt: null } : sync
}

/** The form goes on with another text, and saves it with its id. What it has put aside must not be saved over that. */
function renewId(key: string): void {
  const stored = readDraft<ItemText>(key)
  if (stored !== null)
    storeDraft(key, { ...stored, values: { ...stored.values, draftId: newDraftId() } })
}

/** The browser's database runs these operations in the order in which they are called. */
function pictureOf(key: string | null): DraftPicture {
  let id: string | null = null
  /** The picture stored under `id`, once the form shows it. */
  let file: File | undefined
  /** A picture that was read but is not shown by the form yet. */
  let found: File | undefined
  const forget = () => {
    id = null
    file = undefined
    found = undefined
  }
  const drop = () => {
    forget()
    if (key !== null) void removePicture(key)
  }
  return {
    save: (chosen) => {
      if (key === null || chosen === file) return id
      if (chosen === undefined) {
        drop()
        return null
      }
      if (chosen !== found) {
        const made = newDraftId()
        forget()
        id = made
        void putPicture(key, made, chosen)
      }
      file = chosen
      return id
    },
    read: async (wanted) => {
      if (key === null) return undefined
      id = wanted
      const read = await readPicture(key, wanted)
      // Another picture was chosen meanwhile, or the draft was dropped.
      if (id !== wanted) return undefined
      found = read
      return read
    },
    drop,
    move: (aside, other) => {
      // If the form shows a picture, the next change stores it again.
      forget()
      if (key === null) return
      // The database moves them in this order, so the second doesn't overwrite the first.
      void Promise.all([
        aside !== null && movePicture(key, aside),
        other !== null && movePicture(other, key),
      ])
    },
  }
}
