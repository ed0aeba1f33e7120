import { useMemo } from 'react'
import { courses, type Course, type CourseChoice } from '#contract/courses.ts'
import { COURSE_LESSONS } from '#contract/limits.ts'
import { api } from '#web/core/api.ts'
import { DraftOffers } from '#web/core/form/DraftOffers.tsx'
import { ApiError } from '#web/core/api-error.ts'
import { useHydrated } from '#web/core/hydrated.ts'
import { useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { useSession } from '#web/core/session.ts'
import type { loader } from '#web/items/courses/CourseEditPage.data.ts'
import { drawShelf } from '#web/items/courses/form/course-picture.ts'
import {
  EDITED,
  ADMIN_RULES,
  previewOf,
  setImage,
  valuesOf,
  valuesOfDraft,
  labelsOf,
} from '#web/items/courses/form/course-values.ts'
import { CourseForm } from '#web/items/courses/form/CourseForm.tsx'
import { ConflictSteps } from '#web/items/shared/form/ConflictSteps.tsx'
import { useEditedItem } from '#web/items/shared/form/item-form.ts'
import { SaveButton } from '#web/items/shared/form/SubmitButtons.tsx'

/** The form restarts after hydration, when this browser's draft can be read. */
export default function CourseEditPage() {
  const { course, choices } = usePageData<typeof loader>()
  const hydrated = useHydrated()
  const person = useSession()?._id
  return (
    <EditForm
      key={`${course.id} ${person} ${hydrated}`}
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

/** The server lists at most 1,000 lessons, so the course's own lessons are added where they are missing. */
const withOwn = (choices: readonly CourseChoice[], course: Course): readonly CourseChoice[] => {
  const known = new Set(choices.map(({ id }) => id))
  const others = course.lessons.filter(({ id }) => !known.has(id))
  return [...choices, ...others.map((lesson) => ({ ...lesson, counts: true }))]
}

function EditForm({ course, choices: offered, readsDraft }: EditFormProps) {
  const { t } = useText()
  const choices = useMemo(() => withOwn(offered, course), [offered, course])
  const { id } = course
  const { min } = COURSE_LESSONS
  const item = useEditedItem({
    kind: 'course',
    item: course,
    ownerRules: EDITED,
    adminRules: ADMIN_RULES,
    labels: labelsOf(t),
    values: valuesOf(course),
    valuesOfDraft: (draft) => valuesOfDraft(draft, choices),
    draw: drawShelf,
    setImage,
    edit: async ({ image, reason, ...values }, version, isAdminEdit) => {
      if (values.lessons.length < min) {
        const message = t('minLessonsMsg', { min })
        throw new ApiError({ status: 400, message, fields: { lessons: message } })
      }
      return api(courses.edit, {
        id,
        ...values,
        freePreview: previewOf(values),
        version,
        ...(image !== undefined && { image }),
        ...(isAdminEdit && { reason }),
      })
    },
    fetchVersion: async () => (await api(courses.show, { id }, { quiet: true })).version,
    successMessage: 'successEditedCourse',
    href: ({ lessons }) => to.course(id, lessons[0]?.id),
    readsDraft,
  })
  const { state, overwrite } = item
  const chosen = new Set(state.form.watch('lessons'))
  const isOneOut = course.lessons.some((lesson) => !chosen.has(lesson.id))
  return (
    <CourseForm
      heading={t('editCourseTitle')}
      notice={
        <>
          <DraftOffers offers={item.offers} older={t('courseDraftOlder')} />
          {course.lessons.length < min && (
            <p role="note">{t('courseBelow', { count: course.lessons.length, min })}</p>
          )}
        </>
      }
      item={item}
      choices={choices}
      seed={id}
      current={course.thumbnail}
      owner={item.isAdminEdit ? { name: course.ownerName, image: course.ownerImage } : undefined}
      alertSteps={
        overwrite && (
          <ConflictSteps href={to.course(id, course.lessons[0]?.id)} onOverwrite={overwrite} />
        )
      }
      submit={
        <>
          <p role="status">{isOneOut && t('courseTakenOutStay')}</p>
          <SaveButton busy={state.busy} disabled={state.disabled} missing={state.missing} />
        </>
      }
    />
  )
}
