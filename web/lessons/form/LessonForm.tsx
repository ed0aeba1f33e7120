/** The form of a lesson, new or edited: one column, the preview beside it. */
import { type ReactNode, useMemo, useState } from 'react'
import { cover } from '#contract/art.ts'
import { DESCRIPTION, LESSON_PRICE, TITLE } from '#contract/limits.ts'
import { toEmbedUrl } from '#contract/video.ts'
import type { FormState } from '#web/core/form/form.ts'
import { FormAlert } from '#web/core/form/FormAlert.tsx'
import { useText } from '#web/core/i18n.tsx'
import { ArticleField } from '#web/lessons/article/ArticleField.tsx'
import { useFocusOnRefusal } from '#web/core/form/focus-refused.ts'
import { ItemPreview } from '#web/items/form/ItemPreview.tsx'
import type { LessonValues } from '#web/lessons/form/lesson-values.ts'
import { PictureChoice } from '#web/items/form/PictureChoice.tsx'
import { ResourceField } from '#web/lessons/resource/ResourceField.tsx'
import { TagsField } from '#web/lessons/form/TagsField.tsx'
import { Field } from '#web/ui/inputs/Field.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'
import '#web/ui/styles/form.css'
import '#web/items/form/item-form.css'

interface LessonFormProps {
  readonly heading: string
  /** Under the heading: what is known of drafts. */
  readonly draftLine: ReactNode
  readonly state: FormState<LessonValues>
  /** Grows when the values were set from outside. */
  readonly edition: number
  readonly seed: number | string
  /** The path of the present picture, on edits. */
  readonly kept?: string | undefined
  /** Somebody else's lesson is edited: whose. */
  readonly owner?: { readonly name: string; readonly image: string } | undefined
  readonly onPaper: (seed: string | null) => void
  /** After the words of the alert. */
  readonly alertSteps?: ReactNode
  /** An administrator's reason, after the article. */
  readonly reason?: ReactNode
  /** The button and what stands round it; told whether a file is still on its way. */
  readonly submit: (uploads: boolean) => ReactNode
}

const CHANGED = { shouldDirty: true, shouldTouch: true, shouldValidate: true } as const

/**
 * The form of a lesson, new or edited: one column, the preview beside it. It is long because it is the list of its
 * fields; each of them is a component of its own.
 */
export function LessonForm(props: LessonFormProps) {
  const {
    heading,
    draftLine,
    state,
    edition,
    seed,
    kept,
    owner,
    onPaper,
    alertSteps,
    reason,
    submit,
  } = props
  const { t } = useText()
  const [uploads, setUploads] = useState(false)
  const paper = useMemo(() => cover(seed), [seed])
  const box = useFocusOnRefusal(state.busy)
  const { form, errorOf, countOf, alert } = state
  const values = form.watch()
  const video = form.register('video', {
    onBlur: () => {
      const embed = toEmbedUrl(form.getValues('video'))
      if (embed !== null) form.setValue('video', embed, CHANGED)
    },
  })
  const parts = [
    { name: t('title'), field: 'title' },
    { name: t('description'), field: 'description' },
    { name: t('videoLink'), field: 'video' },
    { name: t('picture'), field: 'image' },
    { name: t('tags'), field: 'tags' },
    { name: t('article'), field: 'article' },
  ] as const
  const isThere = (field: (typeof parts)[number]['field']) => {
    const value = values[field]
    if (field === 'image') return value !== undefined || kept !== undefined
    const isFilled = (typeof value === 'string' || Array.isArray(value)) && value.length > 0
    return isFilled && errorOf(field) === undefined
  }
  return (
    <div className="item create">
      <form
        className="form"
        aria-labelledby="lesson-form"
        ref={box}
        onSubmit={state.onSubmit}
        noValidate
      >
        <div>
          <h1 id="lesson-form">{heading}</h1>
          {draftLine}
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
        <Field label={t('videoLink')} help={t('videoHelp')} error={errorOf('video')}>
          {(wiring) => <TextInput {...wiring} type="url" autoComplete="off" {...video} />}
        </Field>
        <PictureChoice
          value={values.image}
          kept={kept}
          error={errorOf('image')}
          onChange={(file, paper) => {
            // First, because the change is what keeps the draft.
            onPaper(paper)
            form.setValue('image', file, CHANGED)
          }}
        />
        <TagsField
          key={`tags ${edition}`}
          initial={values.tags}
          error={errorOf('tags')}
          onChange={(tags) =>
            form.setValue('tags', tags, {
              shouldDirty: true,
              shouldValidate: errorOf('tags') !== undefined,
            })
          }
          onBlur={() => void form.trigger('tags')}
        />
        <ResourceField
          value={values.resources}
          error={errorOf('resources')}
          onChange={(resource) =>
            form.setValue('resources', resource, {
              shouldDirty: true,
              shouldValidate: errorOf('resources') !== undefined,
            })
          }
          onBlur={() => void form.trigger('resources')}
          onBusy={setUploads}
        />
        <ArticleField
          value={values.article}
          edition={edition}
          error={errorOf('article')}
          onChange={(html) =>
            form.setValue('article', html, {
              shouldDirty: true,
              shouldValidate: errorOf('article') !== undefined,
            })
          }
          onBlur={() => void form.trigger('article')}
        />
        {reason}
        <div className="submit">{submit(uploads)}</div>
      </form>
      <ItemPreview
        seed={seed}
        values={values}
        paper={paper}
        price={LESSON_PRICE}
        kept={kept}
        owner={owner}
        parts={parts.map(({ name, field }) => ({ name, done: isThere(field) }))}
      />
    </div>
  )
}
