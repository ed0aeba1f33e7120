import { lessons, type OpenLesson } from '#contract/lessons.ts'
import type { Question } from '#contract/questions.ts'
import { embedUrl, readVideo } from '#contract/video.ts'
import { api } from '#web/core/api.ts'
import type { FormState } from '#web/core/form/form.ts'
import { DraftOffers } from '#web/core/form/DraftOffers.tsx'
import { useHydrated } from '#web/core/hydrated.ts'
import { useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { useSession } from '#web/core/session.ts'
import { ConflictSteps } from '#web/items/shared/form/ConflictSteps.tsx'
import { useEditedItem } from '#web/items/shared/form/item-form.ts'
import { OlderLesson } from '#web/items/shared/form/OlderLesson.tsx'
import { withheldKey } from '#web/items/shared/form/reward-check.ts'
import { SaveButton } from '#web/items/shared/form/SubmitButtons.tsx'
import { useLessonReward } from '#web/items/lessons/form/lesson-reward.ts'
import {
  ADMIN_RULES,
  type LessonValues,
  OWNER_RULES,
  setImage,
  valuesOf,
  valuesOfDraft,
  labelsOf,
} from '#web/items/lessons/form/lesson-values.ts'
import { LessonForm } from '#web/items/lessons/form/LessonForm.tsx'
import type { loader } from '#web/items/lessons/LessonEditPage.data.ts'

/** Remounts the form after hydration, because the draft is in this browser's storage. */
export default function LessonEditPage() {
  const { lesson, questions } = usePageData<typeof loader>()
  const hydrated = useHydrated()
  const person = useSession()?._id
  return (
    <EditForm
      key={`${lesson.id} ${person} ${hydrated}`}
      lesson={lesson}
      questions={questions}
      readsDraft={hydrated}
    />
  )
}

/** Adds a start of 0 to a link without one, because the server would otherwise keep the stored start. */
function withExplicitStart(link: string): string {
  const video = readVideo(link)
  return video === null ? link : embedUrl({ ...video, start: video.start ?? 0 })
}

interface EditFormProps {
  readonly lesson: OpenLesson
  readonly questions: readonly Question[]
  readonly readsDraft: boolean
}

function EditForm({ lesson, questions, readsDraft }: EditFormProps) {
  const { t } = useText()
  const { id } = lesson
  const item = useEditedItem({
    kind: 'lesson',
    item: lesson,
    ownerRules: OWNER_RULES,
    adminRules: ADMIN_RULES,
    labels: labelsOf(t),
    values: valuesOf(lesson, questions),
    valuesOfDraft,
    setImage,
    edit: async ({ image, cover, reason, checks, ...values }, version, isAdminEdit) =>
      api(lessons.edit, {
        id,
        ...values,
        video: withExplicitStart(values.video),
        checks: JSON.stringify(checks),
        version,
        ...(image !== undefined && { image }),
        ...(image === undefined && cover === 'drawn' && { cover }),
        ...(isAdminEdit && { reason }),
      }),
    fetchVersion: async () => (await api(lessons.show, { id }, { quiet: true })).version,
    successMessage: 'successEditedLesson',
    href: () => to.lesson(id),
    readsDraft,
  })
  const { state, overwrite } = item
  return (
    <LessonForm
      heading={t('editLessonTitle')}
      notice={
        <>
          <p>
            <Link to={to.captions(id)}>{t('captionsManage')}</Link>
          </p>
          <DraftOffers offers={item.offers} older={t('draftOlder')} />
        </>
      }
      item={item}
      seed={id}
      current={lesson.thumbnail}
      owner={{ name: lesson.ownerName, image: lesson.ownerImage }}
      asksReason={item.isAdminEdit}
      alertSteps={overwrite && <ConflictSteps href={to.lesson(id)} onOverwrite={overwrite} />}
      submit={(uploads) => (
        <>
          <LostReward state={state} stored={lesson} />
          <SaveButton
            busy={state.busy}
            disabled={state.disabled || uploads}
            reason={uploads ? t('uploadRunning') : undefined}
            missing={state.missing}
          />
        </>
      )}
    />
  )
}

interface LostRewardProps {
  readonly state: FormState<LessonValues>
  readonly stored: OpenLesson
}

/** Says that saving takes the reward back, if it does. */
function LostReward({ state, stored }: LostRewardProps) {
  const { t } = useText()
  const [video, article] = state.form.watch(['video', 'article'])
  const check = useLessonReward({ video, article }, state.busy, stored)
  const withheld = check === null ? null : withheldKey(check)
  return (
    <div role="status">
      {withheld !== null && (
        <>
          <p>
            {t('editLosesReward')} {t(withheld)}
          </p>
          <OlderLesson older={check?.older} />
        </>
      )}
    </div>
  )
}
