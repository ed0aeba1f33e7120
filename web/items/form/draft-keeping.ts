/** The draft of a lesson's or a course's form: its words as drafts.ts keeps them, and its picture beside them. */
import { useCallback, useEffect, useMemo, useRef } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { newDraftId } from '#web/core/storage/draft-id.ts'
import { type Draft, useDraft } from '#web/core/storage/drafts.ts'
import { useSession } from '#web/core/session.ts'

interface Origin {
  readonly draftId: string
  /** Of the item when the form was opened; 0 for a new one. */
  readonly version: number
}

/** What every form of an item has and the words of a draft leave out. */
interface Unkept {
  image?: File | undefined
  reason: string
}

/** What survives a reload. A drawn picture is drawn again from its seed, another is kept under an id. */
export type DraftOf<Values extends Unkept> = Omit<Values, keyof Unkept> &
  Origin & {
    readonly paper: string | null
    /** Absent in drafts that were kept before pictures were. */
    readonly picture?: string | null
  }

interface DraftPicture {
  /** Keeps the form's own picture, undefined for none; answers the id under which it stands, null for none. */
  readonly keep: (file: File | undefined) => string | null
  /** The picture of that id, or undefined when it is gone. */
  readonly read: (id: string) => Promise<File | undefined>
  readonly drop: () => void
}

export interface ItemDraft<Values> extends Draft<Values> {
  readonly picture: DraftPicture
}

/** The draft of one form of an item, `lesson:new` or `course:7`; to drop it drops its picture too. */
export function useItemDraft<Values>(form: string): ItemDraft<Values> {
  const { read, save, drop } = useDraft<Values>(form)
  const person = useSession()?._id
  // Where drafts.ts keeps the words. Guests see these forms only while they hydrate.
  const key = person === undefined ? null : `kb:${person}:draft:${form}`
  const picture = useMemo(() => pictureOf(key), [key])
  useEffect(() => {
    const sweep = () => void withStore((store) => store.sweepPictures())
    sweep()
    // The form also goes when another tab signs out; by then the words are gone.
    return sweep
  }, [key])
  return useMemo(
    () => ({
      read,
      save,
      drop: () => {
        drop()
        picture.drop()
      },
      picture,
    }),
    [read, save, drop, picture],
  )
}

interface KeptForm<Values extends FieldValues & Unkept> extends Origin {
  readonly form: UseFormReturn<Values>
  /** Draws the picture of a seed. */
  readonly draw: (seed: string) => Promise<File>
  readonly setImage: (image: File) => void
}

interface DraftKeeping<Values extends Unkept> {
  /** Told before each change of the picture: the seed of a drawn one, else null. */
  readonly setPaper: (seed: string | null) => void
  /** Brings back the picture of a draft whose words the form takes. Never over one that was chosen in this form. */
  readonly bringBack: (values: DraftOf<Values>) => void
}

/** Keeps what is typed and chosen, from the first change on. */
export function useDraftKeeping<Values extends FieldValues & Unkept>(
  { save, picture }: ItemDraft<DraftOf<Values>>,
  { form, draftId, version, draw, setImage }: KeptForm<Values>,
): DraftKeeping<Values> {
  const paper = useRef<string | null>(null)
  const isChosen = useRef(false)
  const set = useRef(setImage)
  useEffect(() => {
    set.current = setImage
  })
  useEffect(() => {
    return form.subscribe({
      formState: { values: true, isDirty: true },
      callback: ({ values, isDirty }) => {
        const { image, reason: _reason, ...kept } = values
        // At once and whatever else has changed: one that was taken back must not return.
        const id = picture.keep(paper.current === null ? image : undefined)
        if (isDirty !== true) return
        save({ ...kept, draftId, version, paper: paper.current, picture: id })
      },
    })
  }, [form, save, picture, draftId, version])
  return {
    setPaper: useCallback((seed) => {
      isChosen.current = true
      paper.current = seed
    }, []),
    bringBack: useCallback(
      (values) => {
        if (isChosen.current) return
        const { paper: seed, picture: id } = values
        paper.current = seed
        const bring = async () => {
          if (seed !== null) return draw(seed)
          return typeof id === 'string' ? picture.read(id) : undefined
        }
        bring().then(
          (image) => {
            if (image !== undefined && !isChosen.current) set.current(image)
          },
          // Then a picture is missing, and the form says so.
          () => {},
        )
      },
      [draw, picture],
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
    if (key !== null) void withStore((store) => store.removePicture(key))
  }
  return {
    keep: (chosen) => {
      if (key === null || chosen === file) return id
      if (chosen === undefined) {
        drop()
        return null
      }
      if (chosen !== found) {
        const made = newDraftId()
        forget()
        id = made
        void withStore((store) => store.putPicture(key, made, chosen))
      }
      file = chosen
      return id
    },
    read: async (wanted) => {
      if (key === null) return undefined
      id = wanted
      const read = await withStore((store) => store.readPicture(key, wanted))
      // Meanwhile another one was chosen, or the draft dropped.
      if (id !== wanted) return undefined
      found = read
      return read
    },
    drop,
  }
}

type PictureStore = typeof import('#web/core/storage/draft-pictures.ts')

/** Fetched apart, by open forms alone. Where it can't be fetched, forms work without it. */
async function withStore<T>(step: (store: PictureStore) => Promise<T>): Promise<T | undefined> {
  try {
    return await step(await import('#web/core/storage/draft-pictures.ts'))
  } catch {
    return undefined
  }
}
