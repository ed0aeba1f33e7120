import { courses } from '#contract/courses.ts'
import { COURSE_LESSONS, COURSE_REWARD } from '#contract/limits.ts'
import { api } from '#web/core/api.ts'
import { DraftOffers } from '#web/core/form/DraftOffers.tsx'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import type { loader } from '#web/items/courses/CourseCreatePage.data.ts'
import { drawShelf } from '#web/items/courses/form/course-picture.ts'
import {
  NEW,
  NO_VALUES,
  previewOf,
  setImage,
  valuesOfDraft,
  labelsOf,
} from '#web/items/courses/form/course-values.ts'
import { CourseForm } from '#web/items/courses/form/CourseForm.tsx'
import { PublishCourse } from '#web/items/courses/form/PublishCourse.tsx'
import { useNewItem } from '#web/items/shared/form/item-form.ts'
import { type NewItemFormProps, NewItemPage } from '#web/items/shared/form/NewItemPage.tsx'
import { SavedDraftLine } from '#web/items/shared/form/SavedDraftLine.tsx'

/** The form restarts after hydration, when this browser's draft can be read, and after a course was published. */
export default function CourseCreatePage() {
  const { t } = useText()
  return <NewItemPage title={t('newCourse')} form={CreateForm} />
}

function CreateForm({ readsDraft, onStartOver }: NewItemFormProps) {
  const { choices } = usePageData<typeof loader>()
  const { t } = useText()
  const item = useNewItem({
    kind: 'course',
    rules: NEW,
    labels: labelsOf(t),
    blank: NO_VALUES,
    valuesOfDraft: (draft) => valuesOfDraft(draft, choices),
    draw: drawShelf,
    setImage,
    create: async ({ image, reason: _none, ...values }, draftId) =>
      image && api(courses.create, { ...values, freePreview: previewOf(values), image, draftId }),
    successMessage: 'successCreatedCourse',
    reward: COURSE_REWARD,
    href: ({ id, lessons }) => to.course(id, lessons[0]?.id),
    readsDraft,
    restart: onStartOver,
  })
  const { min } = COURSE_LESSONS
  const startOver = () => {
    item.dropDraft()
    onStartOver()
  }
  return (
    <CourseForm
      heading={t('newCourse')}
      notice={
        <>
          <SavedDraftLine
            savedAt={item.savedAt}
            isFromElsewhere={item.isFromElsewhere}
            onStartOver={startOver}
          />
          <DraftOffers offers={item.offers} />
          {choices.length > 0 && choices.length < min && (
            <p>
              {t('courseTooFewOwn', { count: choices.length, min })}{' '}
              <Link to={to.createLesson()}>{t('createLesson')}</Link>
            </p>
          )}
        </>
      }
      item={item}
      choices={choices}
      seed={item.draftId}
      opensFirst
      submit={<PublishCourse state={item.state} own={choices.length} />}
    />
  )
}
