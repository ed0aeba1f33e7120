import { useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Course, CourseChoice } from '#contract/courses.schemas.ts'
import { courses } from '#contract/courses.ts'
import { COURSE_LESSONS, REASON } from '#contract/limits.ts'
import { OPENS } from '#web/core/router/arrival.ts'
import { api } from '#web/core/api.ts'
import { ApiError } from '#web/core/api-error.ts'
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
  EditedCourse,
  EditedForOwner,
  valuesOf,
  valuesOfDraft,
} from '#web/courses/form/course-values.ts'
import type { loader } from '#web/courses/CourseEditPage.data.ts'
import { CourseForm } from '#web/courses/form/CourseForm.tsx'
import { ConflictSteps } from '#web/items/form/ConflictSteps.tsx'
import { useDraftKeeping, useItemDraft } from '#web/items/form/draft-keeping.ts'
import { DraftOffer } from '#web/items/form/DraftOffer.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/inputs/Field.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'

const REQUIRED = ['title', 'description'] as const

/** The form of a course that exists. It starts again after hydration, when this browser's draft is known. */
export default function CourseEditPage() {
  const { course, choices } = usePageData<typeof loader>()
  const hydrated = useHydrated()
  // What this browser keeps is known only after hydration.
  return (
    <EditForm
      key={`${course.id} ${hydrated}`}
      course={course}
      choices={choices}
      readsDraft={hydrated}
    />
  )
}

interface EditFormProps {
  readonly course: Course
  readonly choices: readonly CourseChoice[]
  readonly readsDraft: boolean
}

/** Choices end at a thousand; what the course holds can always be kept. */
const withHeld = (choices: readonly CourseChoice[], course: Course): readonly CourseChoice[] => {
  const known = new Set(choices.map(({ id }) => id))
  const others = course.lessons.filter(({ id }) => !known.has(id))
  return [...choices, ...others.map((lesson) => ({ ...lesson, counts: true }))]
}

function EditForm({ course, choices: offered, readsDraft }: EditFormProps) {
  const { t } = useText()
  const navigate = useNavigate()
  const isForeign = useSession()?._id !== course.owner
  const choices = useMemo(() => withHeld(offered, course), [offered, course])
  const draft = useItemDraft<CourseDraftValues>(`course:${course.id}`)
  const [offer, setOffer] = useState(() => (readsDraft ? draft.read() : null))
  // The version that this form was made from; a save over a newer one is refused.
  const version = useRef(course.version)
  const labels = useCourseLabels()
  const { min } = COURSE_LESSONS
  const state = useAppForm({
    schema: isForeign ? EditedForOwner : EditedCourse,
    defaults: valuesOf(course),
    labels,
    required: isForeign ? [...REQUIRED, 'reason'] : REQUIRED,
    send: async ({ image, reason, ...values }) => {
      if (values.lessons.length < min) {
        const message = t('minLessonsMsg', { min })
        throw new ApiError({ status: 400, message, fields: { lessons: message } })
      }
      const edited = await api(courses.edit, {
        id: course.id,
        ...values,
        version: version.current,
        ...(image !== undefined && { image }),
        ...(isForeign && { reason }),
      })
      setPoints(edited.kbPoints)
      draft.drop()
      toast(t('successEditedCourse'), 'done')
      await navigate(to.course(course.id, edited.lessons[0]?.id), { state: OPENS })
    },
  })
  const { form } = state
  const { setPaper, bringBack } = useDraftKeeping(draft, {
    form,
    draftId: '',
    version: course.version,
    draw: drawShelf,
    setImage: (image) => form.setValue('image', image, { shouldValidate: true }),
  })
  const chosen = new Set(form.watch('lessons'))
  const isOneOut = course.lessons.some(({ id }) => !chosen.has(id))

  const take = (values: CourseDraftValues) => {
    // Before the words, whose change keeps the draft again.
    bringBack(values)
    // A picture that was chosen here is newer than the draft.
    const image = form.getValues('image')
    form.reset({ ...valuesOfDraft(values, choices), image }, { keepDefaultValues: true })
    setOffer(null)
  }
  const overwrite = async () => {
    version.current = (await api(courses.show, { id: course.id }, { quiet: true })).version
    await state.onSubmit()
  }
  return (
    <CourseForm
      heading={t('editCourseTitle')}
      lines={
        <>
          {offer !== null && (
            <DraftOffer
              savedAt={offer.savedAt}
              older={offer.values.version < course.version ? t('courseDraftOlder') : undefined}
              onTake={() => take(offer.values)}
              onDrop={() => {
                draft.drop()
                setOffer(null)
              }}
            />
          )}
          {course.lessons.length < min && (
            <p role="note">{t('courseBelow', { count: course.lessons.length, min })}</p>
          )}
        </>
      }
      state={state}
      choices={choices}
      seed={course.id}
      kept={course.thumbnail}
      owner={isForeign ? { name: course.ownerName, image: course.ownerImage } : undefined}
      onPaper={setPaper}
      alertSteps={
        state.alert?.status === 409 && (
          <ConflictSteps
            href={to.course(course.id, course.lessons[0]?.id)}
            onOverwrite={() => void overwrite()}
          />
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
      submit={
        <>
          <p role="status">{isOneOut && t('courseTakenOutStay')}</p>
          <Button
            type="submit"
            kind="main"
            big
            busy={state.busy}
            disabled={state.disabled}
            reason={state.reason}
          >
            {t('saveChanges')}
          </Button>
        </>
      }
    />
  )
}
