/** The form of a course, new or edited: one column, the preview beside it. */
import { type ReactNode, useCallback, useMemo } from 'react'
import { shelf } from '#contract/art.ts'
import type { CourseChoice } from '#contract/courses.schemas.ts'
import { COURSE_LESSONS, COURSE_PRICE, DESCRIPTION, TITLE } from '#contract/limits.ts'
import type { FormState } from '#web/core/form/form.ts'
import { FormAlert } from '#web/core/form/FormAlert.tsx'
import { useText } from '#web/core/i18n.tsx'
import { drawShelf, shelfSeed, shelfSeeds } from '#web/courses/form/course-picture.ts'
import type { CourseValues } from '#web/courses/form/course-values.ts'
import { LessonsField } from '#web/courses/form/LessonsField.tsx'
import { useFocusOnRefusal } from '#web/core/form/focus-refused.ts'
import { ItemPreview } from '#web/items/form/ItemPreview.tsx'
import { PictureChoice } from '#web/items/form/PictureChoice.tsx'
import { Field } from '#web/ui/inputs/Field.tsx'
import { Select } from '#web/ui/inputs/Select.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'
import '#web/ui/styles/form.css'
import '#web/items/form/item-form.css'
import '#web/courses/form/course-form.css'

interface CourseFormProps {
  readonly heading: string
  /** Under the heading: what is known of drafts, and of the course itself. */
  readonly lines: ReactNode
  readonly state: FormState<CourseValues>
  /** Lessons that may stand in it, newest first. */
  readonly choices: readonly CourseChoice[]
  readonly seed: number | string
  /** The path of the present picture, on edits. */
  readonly kept?: string | undefined
  /** Somebody else's course is edited: whose. */
  readonly owner?: { readonly name: string; readonly image: string } | undefined
  readonly onPaper: (seed: string | null) => void
  /** After the words of the alert. */
  readonly alertSteps?: ReactNode
  /** An administrator's reason, after the lessons. */
  readonly reason?: ReactNode
  /** The button and what stands round it. */
  readonly submit: ReactNode
}

const CHANGED = { shouldDirty: true, shouldTouch: true, shouldValidate: true } as const

/**
 * The form of a course, new or edited: one column, the preview beside it. It is long because it is the list of its
 * fields; each of them is a component of its own.
 */
export function CourseForm(props: CourseFormProps) {
  const { heading, lines, state, choices, seed, kept, owner, onPaper, alertSteps, reason, submit } =
    props
  const { t } = useText()
  const box = useFocusOnRefusal(state.busy)
  const { form, errorOf, countOf, alert } = state
  const values = form.watch()
  const drawn = shelfSeed(values.lessons)
  const paper = useMemo(() => shelf(shelfSeeds(drawn)), [drawn])

  const changeLessons = useCallback(
    (change: (ids: readonly number[]) => number[]) => {
      const lessons = change(form.getValues('lessons'))
      const preview = form.getValues('freePreview')
      if (preview !== '' && !lessons.includes(preview)) form.setValue('freePreview', '', CHANGED)
      form.setValue('lessons', lessons, CHANGED)
    },
    [form],
  )
  const blurLessons = useCallback(() => void form.trigger('lessons'), [form])
  const titleOf = (id: number) => choices.find((choice) => choice.id === id)?.title ?? ''
  const isGood = (field: 'title' | 'description') =>
    values[field] !== '' && errorOf(field) === undefined
  const parts = [
    { name: t('title'), done: isGood('title') },
    { name: t('description'), done: isGood('description') },
    { name: t('picture'), done: values.image !== undefined || kept !== undefined },
    { name: t('lessons'), done: values.lessons.length >= COURSE_LESSONS.min },
  ]
  return (
    <div className="item create">
      <form
        className="form"
        aria-labelledby="course-form"
        ref={box}
        onSubmit={state.onSubmit}
        noValidate
      >
        <div>
          <h1 id="course-form">{heading}</h1>
          {lines}
        </div>
        <FormAlert alert={alert}>{alertSteps}</FormAlert>
        <Field
          label={t('title')}
          help={t('lengthHelp', { ...TITLE })}
          error={errorOf('title')}
          {...countOf('title', TITLE)}
        >
          {(wiring) => (
            <TextInput {...wiring} dir="auto" autoComplete="off" {...form.register('title')} />
          )}
        </Field>
        <Field
          label={t('description')}
          help={t('descriptionHelp', { ...DESCRIPTION })}
          error={errorOf('description')}
          {...countOf('description', DESCRIPTION)}
        >
          {(wiring) => (
            <TextInput
              {...wiring}
              dir="auto"
              autoComplete="off"
              {...form.register('description')}
            />
          )}
        </Field>
        <PictureChoice
          value={values.image}
          kept={kept}
          error={errorOf('image')}
          drawing={{ label: t('useShelf'), seed: () => drawn, draw: drawShelf }}
          onChange={(file, drawing) => {
            // First, because the change is what keeps the draft.
            onPaper(drawing)
            form.setValue('image', file, CHANGED)
          }}
        />
        <LessonsField
          choices={choices}
          value={values.lessons}
          error={errorOf('lessons')}
          isForeign={owner !== undefined}
          onChange={changeLessons}
          onBlur={blurLessons}
        />
        <Field
          name="freePreview"
          label={t('courseFreePreview')}
          help={t('freePreviewHelp')}
          error={errorOf('freePreview')}
        >
          {(wiring) => (
            <Select
              {...wiring}
              value={values.freePreview}
              onChange={({ target }) =>
                form.setValue(
                  'freePreview',
                  target.value === '' ? '' : Number(target.value),
                  CHANGED,
                )
              }
            >
              <option value="">{t('freePreviewNone')}</option>
              {values.lessons.map((id, place) => (
                <option key={id} value={id}>
                  {`${place + 1}. ${titleOf(id)}`}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {reason}
        <div className="submit">{submit}</div>
      </form>
      <ItemPreview
        course
        seed={seed}
        values={values}
        paper={paper}
        price={COURSE_PRICE}
        kept={kept}
        owner={owner}
        parts={parts}
      />
    </div>
  )
}
