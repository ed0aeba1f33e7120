import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { lessons } from '#contract/lessons.ts'
import type { OpenLesson } from '#contract/lessons.schemas.ts'
import { REASON } from '#contract/limits.ts'
import { OPENS } from '#web/core/router/arrival.ts'
import { api } from '#web/core/api.ts'
import { useAppForm } from '#web/core/form/form.ts'
import { useHydrated } from '#web/core/hydrated.ts'
import { useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { setPoints, useSession } from '#web/core/session.ts'
import { toast } from '#web/core/toast.ts'
import { ConflictSteps } from '#web/items/form/ConflictSteps.tsx'
import { DraftOffer } from '#web/items/form/DraftOffer.tsx'
import { useDraftKeeping, useItemDraft } from '#web/items/form/draft-keeping.ts'
import { LessonForm } from '#web/lessons/form/LessonForm.tsx'
import type { loader } from '#web/lessons/LessonEditPage.data.ts'
import {
  EditedForOwner,
  EditedLesson,
  type LessonDraftValues,
  valuesOf,
  valuesOfDraft,
} from '#web/lessons/form/lesson-values.ts'
import { useLessonLabels } from '#web/lessons/lesson-labels.ts'
import { drawPaper } from '#web/items/form/PictureChoice.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/inputs/Field.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'

const REQUIRED = ['title', 'description', 'video', 'tags', 'article'] as const

/** The form of a lesson that exists. It starts again after hydration, when this browser's draft is known. */
export default function LessonEditPage() {
  const { lesson } = usePageData<typeof loader>()
  const hydrated = useHydrated()
  // What this browser keeps is known only after hydration.
  return <EditForm key={`${lesson.id} ${hydrated}`} lesson={lesson} readsDraft={hydrated} />
}

interface EditFormProps {
  readonly lesson: OpenLesson
  readonly readsDraft: boolean
}

function EditForm({ lesson, readsDraft }: EditFormProps) {
  const { t } = useText()
  const navigate = useNavigate()
  const isForeign = useSession()?._id !== lesson.owner
  const [edition, setEdition] = useState(0)
  const draft = useItemDraft<LessonDraftValues>(`lesson:${lesson.id}`)
  const [offer, setOffer] = useState(() => (readsDraft ? draft.read() : null))
  // The version that this text was made from; a save over a newer one is refused.
  const version = useRef(lesson.version)
  const labels = useLessonLabels()
  const state = useAppForm({
    schema: isForeign ? EditedForOwner : EditedLesson,
    defaults: valuesOf(lesson),
    labels,
    required: isForeign ? [...REQUIRED, 'reason'] : REQUIRED,
    send: async ({ image, reason, ...values }) => {
      const edited = await api(lessons.edit, {
        id: lesson.id,
        ...values,
        version: version.current,
        ...(image !== undefined && { image }),
        ...(isForeign && { reason }),
      })
      setPoints(edited.kbPoints)
      draft.drop()
      toast(t('successEditedLesson'), 'done')
      await navigate(to.lesson(lesson.id), { state: OPENS })
    },
  })
  const { form } = state
  const { setPaper, bringBack } = useDraftKeeping(draft, {
    form,
    draftId: '',
    version: lesson.version,
    draw: drawPaper,
    setImage: (image) => form.setValue('image', image, { shouldValidate: true }),
  })

  const take = (values: LessonDraftValues) => {
    // Before the words, whose change keeps the draft again.
    bringBack(values)
    // A picture that was chosen here is newer than the draft.
    const image = form.getValues('image')
    form.reset({ ...valuesOfDraft(values), image }, { keepDefaultValues: true })
    setOffer(null)
    setEdition(edition + 1)
  }
  const overwrite = async () => {
    version.current = (await api(lessons.show, { id: lesson.id }, { quiet: true })).version
    await state.onSubmit()
  }
  return (
    <LessonForm
      heading={t('editLessonTitle')}
      draftLine={
        offer !== null && (
          <DraftOffer
            savedAt={offer.savedAt}
            older={offer.values.version < lesson.version ? t('draftOlder') : undefined}
            onTake={() => take(offer.values)}
            onDrop={() => {
              draft.drop()
              setOffer(null)
            }}
          />
        )
      }
      state={state}
      edition={edition}
      seed={lesson.id}
      kept={lesson.thumbnail}
      owner={{ name: lesson.ownerName, image: lesson.ownerImage }}
      onPaper={setPaper}
      alertSteps={
        state.alert?.status === 409 && (
          <ConflictSteps href={to.lesson(lesson.id)} onOverwrite={() => void overwrite()} />
        )
      }
      reason={
        isForeign && (
          <Field
            label={t('reasonLabel')}
            error={state.errorOf('reason')}
            {...state.countOf('reason', REASON)}
          >
            {(wiring) => <TextInput {...wiring} dir="auto" {...form.register('reason')} />}
          </Field>
        )
      }
      submit={(uploads) => (
        <Button
          type="submit"
          kind="main"
          big
          busy={state.busy}
          disabled={state.disabled || uploads}
          reason={uploads ? t('uploadRunning') : state.reason}
        >
          {t('saveChanges')}
        </Button>
      )}
    />
  )
}
