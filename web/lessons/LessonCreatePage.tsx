import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { lessons } from '#contract/lessons.ts'
import { LESSON_REWARD } from '#contract/limits.ts'
import { OPENS } from '#web/core/router/arrival.ts'
import { api } from '#web/core/api.ts'
import { type FormState, useAppForm } from '#web/core/form/form.ts'
import { useHydrated } from '#web/core/hydrated.ts'
import { newDraftId } from '#web/core/storage/draft-id.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { setPoints, useSession } from '#web/core/session.ts'
import { toast } from '#web/core/toast.ts'
import { SuspendedHere } from '#web/layout/SuspendedHere.tsx'
import { useDraftKeeping, useItemDraft } from '#web/items/form/draft-keeping.ts'
import { LessonForm } from '#web/lessons/form/LessonForm.tsx'
import {
  type LessonDraftValues,
  type LessonValues,
  NewLesson,
  NO_VALUES,
  valuesOfDraft,
} from '#web/lessons/form/lesson-values.ts'
import { useLessonLabels } from '#web/lessons/lesson-labels.ts'
import { drawPaper } from '#web/items/form/PictureChoice.tsx'
import { useRewardCheck, withheldKey } from '#web/lessons/form/reward-check.ts'
import { Button } from '#web/ui/Button.tsx'

const REQUIRED = ['title', 'description', 'video', 'image', 'tags', 'article'] as const

/**
 * The form of a new lesson. It starts again after hydration, when this browser's draft is known, and after a lesson was
 * made.
 */
export default function LessonCreatePage() {
  const hydrated = useHydrated()
  const [run, setRun] = useState(0)
  const { t } = useText()
  if (useSession()?.suspended === true) return <SuspendedHere title={t('newLesson')} />
  // What this browser keeps is known only after hydration: the form then starts afresh with it.
  return (
    <CreateForm
      key={`${hydrated} ${run}`}
      readsDraft={hydrated}
      onStartOver={() => setRun(run + 1)}
    />
  )
}

interface CreateFormProps {
  readonly readsDraft: boolean
  readonly onStartOver: () => void
}

function CreateForm({ readsDraft, onStartOver }: CreateFormProps) {
  const { t, formatTime } = useText()
  const navigate = useNavigate()
  const draft = useItemDraft<LessonDraftValues>('lesson:new')
  const [kept] = useState(() => (readsDraft ? draft.read() : null))
  // Repeated with every attempt: a lost answer must not make a second lesson.
  const [draftId] = useState(() => kept?.values.draftId ?? newDraftId())
  const labels = useLessonLabels()
  const state = useAppForm({
    schema: NewLesson,
    defaults: kept === null ? NO_VALUES : valuesOfDraft(kept.values),
    labels,
    required: REQUIRED,
    send: async ({ image, reason: _none, ...values }) => {
      if (image === undefined) return
      const made = await api(lessons.create, { ...values, image, draftId })
      setPoints(made.kbPoints)
      draft.drop()
      const withheld = withheldKey(made)
      const words = t('successCreatedLesson')
      if (withheld === null) toast(`${words} +${LESSON_REWARD}`, 'points')
      else toast(`${words} ${t(withheld)}`, 'done')
      await navigate(to.lesson(made.id), { state: OPENS })
    },
  })
  const { form } = state
  const { setPaper, bringBack } = useDraftKeeping(draft, {
    form,
    draftId,
    version: 0,
    draw: drawPaper,
    setImage: (image) => form.setValue('image', image, { shouldValidate: true }),
  })
  useEffect(() => {
    if (kept !== null) bringBack(kept.values)
  }, [kept, bringBack])

  const startOver = () => {
    draft.drop()
    onStartOver()
  }
  const draftLine = kept !== null && (
    <p className="quiet">
      {t('draftKept', { time: formatTime(kept.savedAt) })}{' '}
      <button type="button" className="as-link" onClick={startOver}>
        {t('startOver')}
      </button>
    </p>
  )
  return (
    <LessonForm
      heading={t('newLesson')}
      draftLine={draftLine}
      state={state}
      edition={0}
      seed={draftId}
      onPaper={setPaper}
      submit={(uploads) => <PublishButton state={state} uploads={uploads} />}
    />
  )
}

interface PublishButtonProps {
  readonly state: FormState<LessonValues>
  readonly uploads: boolean
}

/** Says what publishing earns, before it is pressed. */
function PublishButton({ state, uploads }: PublishButtonProps) {
  const { t, formatNumber } = useText()
  const [video, article] = state.form.watch(['video', 'article'])
  const check = useRewardCheck({ video, article }, state.busy)
  const withheld = check === null ? null : withheldKey(check)
  const reward = formatNumber(LESSON_REWARD)
  const known = check === null ? t('rewardUnknown') : t('rewardYes', { reward })
  return (
    <>
      <p role="status">{withheld === null ? known : t(withheld)}</p>
      <Button
        type="submit"
        kind={withheld === null ? 'pay' : 'main'}
        big
        busy={state.busy}
        disabled={state.disabled || uploads}
        reason={uploads ? t('uploadRunning') : state.reason}
      >
        {withheld === null ? t('publishEarn', { reward }) : t('publishPlain')}
      </Button>
    </>
  )
}
