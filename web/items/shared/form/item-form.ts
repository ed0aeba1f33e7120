/**
 * State of the forms of lessons and courses. Input is saved as a draft, and sent with the version on which it is
 * based; the server refuses it if somebody saved a newer one.
 */
import { createElement, useCallback, useEffect, useRef, useState } from 'react'
import type { DefaultValues, FieldPath, FieldValues } from 'react-hook-form'
import { useNavigate } from 'react-router'
import type * as z from 'zod/mini'
import type { MessageKey } from '#contract/messages/messages.ts'
import { type FormState, useAppForm } from '#web/core/form/form.ts'
import { useText } from '#web/core/i18n.tsx'
import { OPENS } from '#web/core/router/arrival.ts'
import { leaveMoment } from '#web/core/moments/moment.ts'
import { useWanted } from '#web/core/moments/wanted.ts'
import { currentPerson, setPoints, useSession } from '#web/core/session.ts'
import { newDraftId } from '#web/core/storage/draft-id.ts'
import { type DraftOffer, useDraftOffers } from '#web/core/storage/drafts.ts'
import { toast } from '#web/core/toast.ts'
import type { SendingState } from '#web/items/drafts/sender.ts'
import { useServerDraft } from '#web/items/drafts/server-draft.ts'
import {
  type DraftOf,
  type ItemValues,
  type SetImage,
  useDraftSaving,
  useItemDraft,
} from '#web/items/shared/form/item-draft.ts'
import { Published, type PublishedItem } from '#web/items/shared/moments/Published.tsx'
import { withheldKey } from '#web/items/shared/form/reward-check.ts'

interface FormOfItem<Values extends FieldValues & ItemValues> {
  readonly labels: Partial<Readonly<Record<FieldPath<Values>, string>>>
  readonly valuesOfDraft: (draft: DraftOf<Values>) => Values & DefaultValues<Values>
  /** Draws the picture of a seed; undefined where none is drawn. */
  readonly draw?: ((seed: string) => Promise<File>) | undefined
  /** Must be a constant of the module, because a new function with every render would save drafts again. */
  readonly setImage: SetImage<Values>
}

/** The part of the state that the form's frame needs. */
export interface ItemForm<Values extends FieldValues> {
  readonly state: FormState<Values>
  /** Increases when values are set from outside. Fields with a state of their own use it as key. */
  readonly edition: number
  readonly choosePicture: (image: File | undefined, paper: string | null) => void
  /** Whether the draft is on the server. */
  readonly sending: SendingState
}

interface Rules<Values extends FieldValues> {
  readonly schema: z.ZodMiniType<unknown, Values>
  /** Fields that must not be empty. */
  readonly required: readonly FieldPath<Values>[]
}

interface NewItemOptions<
  Values extends FieldValues & ItemValues,
  Made extends PublishedItem,
> extends FormOfItem<Values> {
  readonly kind: 'lesson' | 'course'
  readonly rules: Rules<Values>
  readonly blank: DefaultValues<Values>
  /**
   * Sends the draft's id with every attempt, so that a retry after a lost response makes no second item. Returns
   * undefined when nothing was sent.
   * @throws ApiError
   */
  readonly create: (values: Values, draftId: string) => Promise<Made | undefined>
  readonly successMessage: MessageKey
  readonly reward: number
  readonly href: (made: Made) => string
  /** False until the browser's storage can be read. */
  readonly readsDraft: boolean
  /** Mounts the form again, with the draft of that moment. */
  readonly restart: () => void
}

interface Saved {
  readonly kbPoints: number
}

export interface NewItem<Values extends FieldValues> extends ItemForm<Values> {
  readonly draftId: string
  /** When the form's initial draft was saved; null when it started without one. */
  readonly savedAt: string | null
  /** True if it is as another device left it. */
  readonly isFromElsewhere: boolean
  readonly dropDraft: () => void
  /** Drafts from other tabs. */
  readonly offers: readonly DraftOffer[]
}

/** The form of a new item. It starts with the draft of the last visit. */
export function useNewItem<Values extends FieldValues & ItemValues, Made extends PublishedItem>(
  options: NewItemOptions<Values, Made>,
): NewItem<Values> {
  const { kind, rules, blank, create, successMessage, reward, href, readsDraft, restart } = options
  const { labels, valuesOfDraft, draw, setImage } = options
  const { t } = useText()
  const navigate = useNavigate()
  const wanted = useWanted()
  const draft = useItemDraft<DraftOf<Values>>(`${kind}:new`)
  const [saved] = useState(() => (readsDraft ? draft.read() : null))
  const [draftId] = useState(() => saved?.values.draftId ?? newDraftId())
  const { take } = draft
  const server = useServerDraft(draft, {
    kind,
    itemId: null,
    isOn: readsDraft,
    aside: null,
    onTake: restart,
    onEnded: useCallback(() => {
      toast(t('draftEndedElsewhere'), 'done')
      restart()
    }, [t, restart]),
  })
  const dropDraft = () => {
    server.end()
    draft.drop()
  }
  const offers = useDraftOffers(
    {
      ...draft,
      // The other tab may still send its draft. With the same id the server would take both for one item.
      take: (other) => take({ ...other, values: { ...other.values, draftId: newDraftId() } }),
    },
    restart,
  )
  const state = useAppForm<Values>({
    ...rules,
    defaults: saved === null ? blank : valuesOfDraft(saved.values),
    labels,
    // The lessons of a course are chosen by script alone.
    plain: kind === 'lesson',
    send: async (values) => {
      const made = await create(values, draftId)
      if (made === undefined) return
      const before = currentPerson()?.kbPoints ?? 0
      setPoints(made.kbPoints)
      dropDraft()
      const withheld = withheldKey(made)
      if (withheld === null) toast(`${t(successMessage)} +${reward}`, 'points')
      else toast(`${t(successMessage)} ${t(withheld)}`, 'done')
      const path = href(made)
      const date = new Date().toISOString()
      const moment = { kind, item: made, reward, before, path, date, wanted }
      leaveMoment(path, createElement(Published, moment))
      await navigate(path, { state: OPENS })
    },
  })
  const { form } = state
  const saving = { form, draftId, version: 0, draw, setImage, onSaved: server.changed }
  const { choosePicture, restorePicture } = useDraftSaving(draft, saving)
  useEffect(() => {
    if (saved !== null) restorePicture(saved.values)
  }, [saved, restorePicture])
  return {
    state,
    edition: 0,
    choosePicture,
    draftId,
    savedAt: saved?.savedAt ?? null,
    isFromElsewhere: saved?.sync?.isFromElsewhere === true,
    dropDraft,
    offers: [...server.offers, ...offers.filter((offer) => !server.isOvertaken(offer))],
    sending: server.state,
  }
}

interface EditedItemOptions<
  Values extends FieldValues & ItemValues,
  Edited extends Saved,
> extends FormOfItem<Values> {
  readonly kind: 'lesson' | 'course'
  readonly item: { readonly id: number; readonly owner: string; readonly version: number }
  readonly values: DefaultValues<Values>
  readonly ownerRules: Rules<Values>
  readonly adminRules: Rules<Values>
  /** @throws ApiError with 409 when the item has a newer version than this one */
  readonly edit: (values: Values, version: number, isAdminEdit: boolean) => Promise<Edited>
  /** Returns the item's present version. @throws ApiError */
  readonly fetchVersion: () => Promise<number>
  readonly successMessage: MessageKey
  readonly href: (edited: Edited) => string
  /** False until the browser's storage can be read. */
  readonly readsDraft: boolean
}

/** A draft of an earlier visit. It is offered, and never applied automatically. */
export interface OfferedDraft extends DraftOffer {
  /** True when the item was saved after this draft was begun. */
  readonly isOlder: boolean
}

export interface EditedItem<Values extends FieldValues> extends ItemForm<Values> {
  /** True when an administrator edits somebody else's item. */
  readonly isAdminEdit: boolean
  readonly offers: readonly OfferedDraft[]
  /** Overwrites the version that somebody else saved meanwhile; null without a conflict. */
  readonly overwrite: (() => Promise<void>) | null
}

/** The form of an existing item. It offers drafts of earlier visits. */
export function useEditedItem<Values extends FieldValues & ItemValues, Edited extends Saved>(
  options: EditedItemOptions<Values, Edited>,
): EditedItem<Values> {
  const { kind, item, values, ownerRules, adminRules, edit, fetchVersion, successMessage } = options
  const { href, labels, valuesOfDraft, draw, setImage, readsDraft } = options
  const { t } = useText()
  const navigate = useNavigate()
  const isAdminEdit = useSession()?._id !== item.owner
  const [edition, setEdition] = useState(0)
  const [draftId] = useState(newDraftId)
  const draft = useItemDraft<DraftOf<Values>>(`${kind}:${item.id}`)
  // Puts the old draft aside, so that new input doesn't overwrite a draft that is only offered.
  const [aside] = useState(() => (readsDraft ? draft.putAside() : null))
  // The version on which the form is based; the server refuses to overwrite a newer one.
  const version = useRef(item.version)
  const state = useAppForm<Values>({
    ...(isAdminEdit ? adminRules : ownerRules),
    defaults: values,
    labels,
    send: async (entered) => {
      const answer = await edit(entered, version.current, isAdminEdit)
      setPoints(answer.kbPoints)
      server.end()
      draft.drop()
      toast(t(successMessage), 'done')
      await navigate(href(answer), { state: OPENS })
    },
  })
  const { form } = state
  const restore = useRef<(stored: DraftOf<Values>) => void>(() => {})
  const server = useServerDraft(draft, {
    kind,
    itemId: item.id,
    isOn: readsDraft,
    aside,
    onTake: useCallback((stored) => restore.current(stored), []),
  })
  const saving = {
    form,
    draftId,
    version: item.version,
    draw,
    setImage,
    onSaved: server.changed,
  }
  const { choosePicture, restorePicture } = useDraftSaving(draft, saving)

  const take = (stored: DraftOf<Values>) => {
    // Before the text, because changing the text saves the draft again.
    restorePicture(stored)
    // A picture that was chosen in this form is newer than the draft's.
    const { image } = form.getValues()
    form.reset({ ...valuesOfDraft(stored), image }, { keepDefaultValues: true })
    setEdition(edition + 1)
  }
  useEffect(() => {
    restore.current = take
  })
  const offers = useDraftOffers(draft, take).filter((offer) => !server.isOvertaken(offer))
  const overwrite = async () => {
    version.current = await fetchVersion()
    await state.onSubmit()
  }
  return {
    state,
    edition,
    choosePicture,
    isAdminEdit,
    offers: [...server.offers, ...offers].map((offer) => ({
      ...offer,
      isOlder: (offer.values?.version ?? item.version) < item.version,
    })),
    sending: server.state,
    overwrite: state.alert?.status === 409 ? overwrite : null,
  }
}
