/** The draft of a lesson's or a course's form: its words as drafts.ts stores them, and its picture beside them. */
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
import { draftKey } from '#web/core/storage/draft-store.ts'
import { type TabDraft, useTabDraft } from '#web/core/storage/drafts.ts'
import { tabId } from '#web/core/storage/tab.ts'
import { useHydrated } from '#web/core/hydrated.ts'
import { useSession } from '#web/core/session.ts'

interface Origin {
  readonly draftId: string
  /** Of the item when the form was opened; 0 for a new one. */
  readonly version: number
}

/** What every form of an item has and the words of a draft leave out. */
export interface ItemValues {
  image?: File | undefined
  /** An administrator's, for somebody else's item. */
  reason: string
}

/** What survives a reload. A drawn picture is drawn again from its seed, another is stored under an id. */
export type DraftOf<Values extends ItemValues> = Omit<Values, keyof ItemValues> &
  Origin & {
    readonly paper: string | null
    /** Absent in drafts that were stored before pictures were. */
    readonly picture?: string | null
  }

interface DraftPicture {
  /** Stores the form's own picture, undefined for none; answers the id under which it stands, null for none. */
  readonly save: (file: File | undefined) => string | null
  /** The picture of that id, or undefined when it is gone. */
  readonly read: (id: string) => Promise<File | undefined>
  readonly drop: () => void
  /** Moves the form's own picture to a draft that was put aside, and that of another draft to the form. Null: none. */
  readonly move: (aside: string | null, other: string | null) => void
}

export interface ItemDraft<Values> extends TabDraft<Values> {
  readonly picture: DraftPicture
}

/** The draft of one form of an item, `lesson:new` or `course:7`; to drop it drops its picture too. */
export function useItemDraft<Values>(form: string): ItemDraft<Values> {
  const words = useTabDraft<Values>(form)
  const person = useSession()?._id
  const hydrated = useHydrated()
  // Where the words are stored. Guests see these forms only while they hydrate.
  const key = person === undefined || !hydrated ? null : draftKey(person, form, tabId())
  const picture = useMemo(() => pictureOf(key), [key])
  useEffect(() => {
    const sweep = () => void sweepPictures()
    sweep()
    // The form also goes when another tab signs out; by then the words are gone.
    return sweep
  }, [key])
  const { read, save, drop, others, take, putAside, dropOther } = words
  return useMemo(
    () => ({
      read,
      save,
      drop: () => {
        drop()
        picture.drop()
      },
      others,
      take: (other) => {
        const aside = take(other)
        picture.move(aside, other.key)
        return aside
      },
      putAside: () => {
        const aside = putAside()
        if (aside !== null) picture.move(aside, null)
        return aside
      },
      dropOther: (other) => {
        dropOther(other)
        void removePicture(other.key)
      },
      picture,
    }),
    [read, save, drop, others, take, putAside, dropOther, picture],
  )
}

interface SavedForm<Values extends FieldValues & ItemValues> extends Origin {
  readonly form: UseFormReturn<Values>
  /** Draws the picture of a seed; undefined where none is drawn. */
  readonly draw: ((seed: string) => Promise<File>) | undefined
  readonly setImage: SetImage<Values>
}

/** Sets the form's picture. Given by the form's own module, the only one that knows all its fields. */
export type SetImage<Values extends FieldValues> = (
  form: UseFormReturn<Values>,
  image: File | undefined,
  options: SetValueConfig,
) => void

interface DraftSaving<Values extends ItemValues> {
  /** Takes a picture that was chosen, or drawn from the seed `paper`; undefined takes it away. */
  readonly choosePicture: (image: File | undefined, paper: string | null) => void
  /** Restores the picture of a draft whose words the form takes. Never over one that was chosen in this form. */
  readonly restorePicture: (values: DraftOf<Values>) => void
}

const CHOSEN = { shouldDirty: true, shouldTouch: true, shouldValidate: true } as const
const RESTORED = { shouldValidate: true } as const

/** Saves what is typed and chosen as a draft, from the first change on. */
export function useDraftSaving<Values extends FieldValues & ItemValues>(
  { save, picture }: ItemDraft<DraftOf<Values>>,
  { form, draftId, version, draw, setImage }: SavedForm<Values>,
): DraftSaving<Values> {
  const paper = useRef<string | null>(null)
  const isChosen = useRef(false)
  useEffect(() => {
    return form.subscribe({
      formState: { values: true, isDirty: true },
      callback: ({ values, isDirty }) => {
        const { image, reason: _reason, ...words } = values
        // At once and whatever else has changed: one that was taken back must not return.
        const id = picture.save(paper.current === null ? image : undefined)
        if (isDirty !== true) return
        save({ ...words, draftId, version, paper: paper.current, picture: id })
      },
    })
  }, [form, save, picture, draftId, version])
  return {
    choosePicture: useCallback(
      (image, seed) => {
        isChosen.current = true
        // First, because the change of the form's value is what saves the draft.
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
          // Then a picture is missing, and the form says so.
          () => {},
        )
      },
      [draw, form, picture, setImage],
    ),
  }
}

/** Steps follow each other in the order in which they were asked for. */
function pictureOf(key: string | null): DraftPicture {
  let id: string | null = null
  /** What stands under the id, once the form shows it. */
  let file: File | undefined
  /** What was read and the form does not show yet. */
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
      // Meanwhile another one was chosen, or the draft dropped.
      if (id !== wanted) return undefined
      found = read
      return read
    },
    drop,
    move: (aside, other) => {
      // A picture that the form shows is stored again with the next change.
      forget()
      if (key === null) return
      // In this order, which is that of the steps in the database.
      void Promise.all([
        aside !== null && movePicture(key, aside),
        other !== null && movePicture(other, key),
      ])
    },
  }
}
