import { type ReactNode, useCallback, useMemo } from 'react'
import { shelf } from '#contract/art.ts'
import type { CourseChoice } from '#contract/courses.ts'
import { COURSE_LESSONS, COURSE_PRICE } from '#contract/limits.ts'
import { useText } from '#web/core/i18n.tsx'
import { drawShelf, shelfSeed, shelfSeeds } from '#web/items/courses/form/course-picture.ts'
import type { CourseValues, PreviewChoice } from '#web/items/courses/form/course-values.ts'
import { LessonsField } from '#web/items/courses/form/LessonsField.tsx'
import type { ItemForm } from '#web/items/shared/form/item-form.ts'
import { ItemFormFrame } from '#web/items/shared/form/ItemFormFrame.tsx'
import { partState } from '#web/items/shared/form/item-part.ts'
import { ItemPreview } from '#web/items/shared/form/ItemPreview.tsx'
import { PictureChoice } from '#web/items/shared/form/PictureChoice.tsx'
import { Field } from '#web/ui/inputs/Field.tsx'
import { Select } from '#web/ui/inputs/Select.tsx'

interface CourseFormProps {
  readonly heading: string
  /** Notes about drafts and about the course itself, below the heading. */
  readonly notice: ReactNode
  readonly item: ItemForm<CourseValues>
  /** Lessons that can be added, newest first. */
  readonly choices: readonly CourseChoice[]
  readonly seed: number | string
  /** The path of the present picture, when a course is edited. */
  readonly current?: string | undefined
  /** Set when an administrator edits somebody else's course. The form then asks for a reason. */
  readonly owner?: { readonly name: string; readonly image: string } | undefined
  /** Buttons after the alert's text. */
  readonly alertSteps?: ReactNode
  /** True for a new course, whose first lesson is the free preview unless its author chooses otherwise. */
  readonly opensFirst?: boolean
  readonly submit: ReactNode
}

const CHANGED = { shouldDirty: true, shouldTouch: true, shouldValidate: true } as const

export function CourseForm(props: CourseFormProps) {
  const { heading, notice, item, choices, seed, current, owner, alertSteps, submit } = props
  const { opensFirst = false } = props
  const { t } = useText()
  const { state, choosePicture } = item
  const { form, errorOf } = state
  const values = form.watch()
  const drawn = shelfSeed(values.lessons)
  const paper = useMemo(() => shelf(shelfSeeds(drawn)), [drawn])

  const changeLessons = useCallback(
    (change: (ids: readonly number[]) => number[]) => {
      const lessons = change(form.getValues('lessons'))
      const preview = form.getValues('freePreview')
      if (typeof preview === 'number' && !lessons.includes(preview))
        form.setValue('freePreview', opensFirst ? 'first' : '', CHANGED)
      form.setValue('lessons', lessons, CHANGED)
    },
    [form, opensFirst],
  )
  const blurLessons = useCallback(() => void form.trigger('lessons'), [form])
  const stateOf = (field: 'title' | 'description') =>
    partState(values[field] !== '', errorOf(field))
  const hasPicture = values.image !== undefined || current !== undefined
  const parts = [
    { name: t('title'), state: stateOf('title') },
    { name: t('description'), state: stateOf('description') },
    { name: t('picture'), state: partState(hasPicture, errorOf('image')) },
    {
      name: t('lessons'),
      state: partState(values.lessons.length >= COURSE_LESSONS.min, errorOf('lessons')),
    },
  ]
  return (
    <ItemFormFrame
      heading={heading}
      notice={notice}
      state={state}
      alertSteps={alertSteps}
      asksReason={owner !== undefined}
      sending={item.sending}
      submit={submit}
      preview={
        <ItemPreview
          course
          seed={seed}
          values={values}
          paper={paper}
          price={COURSE_PRICE}
          current={current}
          owner={owner}
          parts={parts}
        />
      }
    >
      <PictureChoice
        value={values.image}
        current={current}
        error={errorOf('image')}
        ways={[
          {
            label: t('useShelf'),
            take: async () => choosePicture(await drawShelf(drawn), drawn),
          },
        ]}
        onChange={(file) => choosePicture(file, null)}
      />
      <LessonsField
        choices={choices}
        value={values.lessons}
        error={errorOf('lessons')}
        isAdminEdit={owner !== undefined}
        onChange={changeLessons}
        onBlur={blurLessons}
      />
      <FreePreview item={item} choices={choices} opensFirst={opensFirst} />
    </ItemFormFrame>
  )
}

type FreePreviewProps = Pick<CourseFormProps, 'item' | 'choices' | 'opensFirst'>

function FreePreview({ item, choices, opensFirst }: FreePreviewProps) {
  const { t } = useText()
  const { form, errorOf } = item.state
  const { lessons, freePreview } = form.watch()
  const titleOf = (id: number) => choices.find((choice) => choice.id === id)?.title ?? ''
  return (
    <Field
      name="freePreview"
      label={t('freePreview')}
      help={t('freePreviewHelp')}
      error={errorOf('freePreview')}
    >
      {(wiring) => (
        <Select
          {...wiring}
          value={freePreview}
          onChange={({ target }) => form.setValue('freePreview', toChoice(target.value), CHANGED)}
        >
          {opensFirst && <option value="first">{t('freePreviewFirst')}</option>}
          <option value="">{t('freePreviewNone')}</option>
          {lessons.map((id, place) => (
            <option key={id} value={id}>
              {`${place + 1}. ${titleOf(id)}`}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}

function toChoice(value: string): PreviewChoice {
  return value === '' || value === 'first' ? value : Number(value)
}
