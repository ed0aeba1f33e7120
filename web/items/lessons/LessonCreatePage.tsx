import { lessons } from '#contract/lessons.ts'
import { LESSON_REWARD } from '#contract/limits.ts'
import { api } from '#web/core/api.ts'
import { DraftOffers } from '#web/core/form/DraftOffers.tsx'
import type { FormState } from '#web/core/form/form.ts'
import { useRefused } from '#web/core/form/refused.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { useNewItem } from '#web/items/shared/form/item-form.ts'
import { type NewItemFormProps, NewItemPage } from '#web/items/shared/form/NewItemPage.tsx'
import { OlderLesson } from '#web/items/shared/form/OlderLesson.tsx'
import { withheldKey } from '#web/items/shared/form/reward-check.ts'
import { SavedDraftLine } from '#web/items/shared/form/SavedDraftLine.tsx'
import { PublishButton } from '#web/items/shared/form/SubmitButtons.tsx'
import { useLessonReward } from '#web/items/lessons/form/lesson-reward.ts'
import {
  type LessonValues,
  NO_VALUES,
  OWNER_RULES,
  setImage,
  valuesOfDraft,
  labelsOf,
} from '#web/items/lessons/form/lesson-values.ts'
import { LessonForm } from '#web/items/lessons/form/LessonForm.tsx'

/** The form restarts after hydration, when this browser's draft can be read, and after a lesson was published. */
export default function LessonCreatePage() {
  const { t } = useText()
  return <NewItemPage title={t('newLesson')} form={CreateForm} />
}

function CreateForm({ readsDraft, onStartOver }: NewItemFormProps) {
  const { t } = useText()
  const item = useNewItem({
    kind: 'lesson',
    rules: OWNER_RULES,
    labels: labelsOf(t),
    blank: NO_VALUES,
    valuesOfDraft,
    setImage,
    create: async ({ image, cover: _edits, reason: _none, checks, ...values }, draftId) =>
      api(lessons.create, {
        ...values,
        checks: JSON.stringify(checks),
        ...(image === undefined ? { cover: 'drawn' } : { image }),
        draftId,
      }),
    successMessage: 'successCreatedLesson',
    reward: LESSON_REWARD,
    href: ({ id }) => to.lesson(id),
    readsDraft,
    restart: onStartOver,
  })
  const startOver = () => {
    item.dropDraft()
    onStartOver()
  }
  return (
    <LessonForm
      heading={t('newLesson')}
      notice={
        <>
          <SavedDraftLine
            savedAt={item.savedAt}
            isFromElsewhere={item.isFromElsewhere}
            onStartOver={startOver}
          />
          <DraftOffers offers={item.offers} />
        </>
      }
      item={item}
      seed={item.draftId}
      submit={(uploads) => <PublishLesson state={item.state} uploads={uploads} />}
    />
  )
}

interface PublishLessonProps {
  readonly state: FormState<LessonValues>
  readonly uploads: boolean
}

function PublishLesson({ state, uploads }: PublishLessonProps) {
  const { t, formatNumber } = useText()
  const [video, article] = state.form.watch(['video', 'article'])
  const check = useLessonReward({ video, article }, state.busy)
  // A form without script has shown it when it was posted.
  const isAnnounced = useRefused()?.values['announced'] !== undefined
  const withheld = check === null ? null : withheldKey(check)
  const reward = formatNumber(LESSON_REWARD)
  const known = check === null ? t('rewardUnknown') : t('rewardYes', { reward })
  return (
    <>
      <div role="status">
        <p>{withheld === null ? known : t(withheld)}</p>
        {check !== null && <OlderLesson older={check.older} />}
      </div>
      <PublishButton
        reward={withheld === null && !isAnnounced ? reward : null}
        busy={state.busy}
        disabled={state.disabled || uploads}
        reason={uploads ? t('uploadRunning') : undefined}
        missing={state.missing}
      />
    </>
  )
}
