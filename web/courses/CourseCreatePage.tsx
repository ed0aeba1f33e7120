import { useEffect, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { courses } from '#contract/courses.ts'
import { COURSE_LESSONS, COURSE_REWARD } from '#contract/limits.ts'
import { OPENS } from '#web/core/router/arrival.ts'
import { api } from '#web/core/api.ts'
import { newDraftId } from '#web/core/storage/draft-id.ts'
import { useAppForm } from '#web/core/form/form.ts'
import { useHydrated } from '#web/core/hydrated.ts'
import { useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { setPoints, useSession } from '#web/core/session.ts'
import { toast } from '#web/core/toast.ts'
import { useCourseLabels } from '#web/courses/course-labels.ts'
import { drawShelf } from '#web/courses/form/course-picture.ts'
import {
  type CourseDraftValues,
  NewCourse,
  NO_VALUES,
  valuesOfDraft,
} from '#web/courses/form/course-values.ts'
import type { loader } from '#web/courses/CourseCreatePage.data.ts'
import { CourseForm } from '#web/courses/form/CourseForm.tsx'
import { PublishCourse } from '#web/courses/details/PublishCourse.tsx'
import { SuspendedHere } from '#web/layout/SuspendedHere.tsx'
import { useDraftKeeping, useItemDraft } from '#web/items/form/draft-keeping.ts'
import { withheldKey } from '#web/lessons/form/reward-check.ts'

const REQUIRED = ['title', 'description', 'image'] as const

/**
 * The form of a new course. It starts again after hydration, when this browser's draft is known, and after a course was
 * made.
 */
export default function CourseCreatePage() {
  const hydrated = useHydrated()
  const [run, setRun] = useState(0)
  const { t } = useText()
  if (useSession()?.suspended === true) return <SuspendedHere title={t('newCourse')} />
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
  const { choices } = usePageData<typeof loader>()
  const { t, formatTime } = useText()
  const navigate = useNavigate()
  const draft = useItemDraft<CourseDraftValues>('course:new')
  const [kept] = useState(() => (readsDraft ? draft.read() : null))
  // Repeated with every attempt: a lost answer must not make a second course.
  const [draftId] = useState(() => kept?.values.draftId ?? newDraftId())
  const labels = useCourseLabels()
  const state = useAppForm({
    schema: NewCourse,
    defaults: kept === null ? NO_VALUES : valuesOfDraft(kept.values, choices),
    labels,
    required: REQUIRED,
    send: async ({ image, reason: _none, ...values }) => {
      if (image === undefined) return
      const made = await api(courses.create, { ...values, image, draftId })
      setPoints(made.kbPoints)
      draft.drop()
      const withheld = withheldKey(made)
      const words = t('successCreatedCourse')
      if (withheld === null) toast(`${words} +${COURSE_REWARD}`, 'points')
      else toast(`${words} ${t(withheld)}`, 'done')
      await navigate(to.course(made.id, made.lessons[0]?.id), { state: OPENS })
    },
  })
  const { form } = state
  const { setPaper, bringBack } = useDraftKeeping(draft, {
    form,
    draftId,
    version: 0,
    draw: drawShelf,
    setImage: (image) => form.setValue('image', image, { shouldValidate: true }),
  })
  useEffect(() => {
    if (kept !== null) bringBack(kept.values)
  }, [kept, bringBack])

  const startOver = () => {
    draft.drop()
    onStartOver()
  }
  return (
    <CourseForm
      heading={t('newCourse')}
      lines={
        <>
          {kept !== null && (
            <p className="quiet">
              {t('draftKept', { time: formatTime(kept.savedAt) })}{' '}
              <button type="button" className="as-link" onClick={startOver}>
                {t('startOver')}
              </button>
            </p>
          )}
          {choices.length > 0 && choices.length < COURSE_LESSONS.min && (
            <p>
              {t('courseTooFewOwn', { count: choices.length, min: COURSE_LESSONS.min })}{' '}
              <Link to={to.createLesson()}>{t('createLesson')}</Link>
            </p>
          )}
        </>
      }
      state={state}
      choices={choices}
      seed={draftId}
      onPaper={setPaper}
      submit={<PublishCourse state={state} own={choices.length} />}
    />
  )
}
