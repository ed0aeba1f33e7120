import { type ReactNode, useMemo, useState } from 'react'
import type { FieldPath } from 'react-hook-form'
import { blankCover, cover } from '#contract/art.ts'
import { LESSON_PRICE, OPENING } from '#contract/limits.ts'
import { toEmbedUrl } from '#contract/video.ts'
import { QuestionsField } from '#web/items/checks/form/QuestionsField.tsx'
import { useRefused } from '#web/core/form/refused.ts'
import { useText } from '#web/core/i18n.tsx'
import type { ItemForm } from '#web/items/shared/form/item-form.ts'
import { ItemFormFrame } from '#web/items/shared/form/ItemFormFrame.tsx'
import { partState } from '#web/items/shared/form/item-part.ts'
import { ItemPreview } from '#web/items/shared/form/ItemPreview.tsx'
import { OlderLesson } from '#web/items/shared/form/OlderLesson.tsx'
import { PictureChoice } from '#web/items/shared/form/PictureChoice.tsx'
import { ArticleField } from '#web/items/lessons/article/ArticleField.tsx'
import type { LessonValues } from '#web/items/lessons/form/lesson-values.ts'
import { OptionalParts } from '#web/items/lessons/form/OptionalParts.tsx'
import { useVideoOffer } from '#web/items/lessons/form/video-offer.ts'
import { VideoHelp } from '#web/items/lessons/form/VideoHelp.tsx'
import { TagsField } from '#web/items/lessons/form/TagsField.tsx'
import { ResourceField } from '#web/items/lessons/resource/ResourceField.tsx'
import { isPatternPaper } from '#web/ui/books/book-picture.ts'
import { Field } from '#web/ui/inputs/Field.tsx'
import { TextArea } from '#web/ui/inputs/TextArea.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'

interface LessonFormProps {
  readonly heading: string
  /** Notes about drafts, below the heading. */
  readonly notice: ReactNode
  readonly item: ItemForm<LessonValues>
  /** The id of a published lesson, or that of the draft. */
  readonly seed: number | string
  /** The path of the present picture, when a lesson is edited. */
  readonly current?: string | undefined
  /** Set when an administrator edits somebody else's lesson. */
  readonly owner?: { readonly name: string; readonly image: string } | undefined
  /** True when an administrator edits somebody else's lesson. */
  readonly asksReason?: boolean
  /** Buttons after the alert's text. */
  readonly alertSteps?: ReactNode
  /** `uploads` is true while a file is being uploaded. */
  readonly submit: (uploads: boolean) => ReactNode
}

const CHANGED = { shouldDirty: true, shouldTouch: true, shouldValidate: true } as const

export function LessonForm(props: LessonFormProps) {
  const { heading, notice, item, seed, current, owner, asksReason = false, alertSteps } = props
  const { t } = useText()
  const [uploads, setUploads] = useState(false)
  const paper = useMemo(() => (typeof seed === 'number' ? cover(seed) : blankCover), [seed])
  const { state, edition, choosePicture } = item
  const { form, register, errorOf } = state
  const values = form.watch()
  const plain = state.plainly.method !== undefined
  const refused = useRefused()
  const announced = refused?.values['announced']
  const video = register('video', {
    onBlur: () => {
      const embed = toEmbedUrl(form.getValues('video'))
      if (embed !== null) form.setValue('video', embed, CHANGED)
    },
  })
  /** Sets fields without an input element. They are validated at once only to clear an error. */
  const change = <Name extends 'tags' | 'resources' | 'article'>(
    name: Name,
    value: LessonValues[Name],
  ) =>
    form.setValue<'tags' | 'resources' | 'article'>(name, value, {
      shouldDirty: true,
      shouldValidate: errorOf(name) !== undefined,
    })
  const stateOf = (field: 'title' | 'description' | 'video' | 'tags' | 'article') =>
    partState(values[field].length > 0, errorOf(field))
  const shown = values.cover === 'drawn' ? undefined : current
  const offer = useVideoOffer(values.video, state.busy)
  const offered = offer?.picture
  const isTaken = offered !== undefined && values.image === offered
  const drawCover = () => {
    choosePicture(undefined, null)
    form.setValue('cover', 'drawn', CHANGED)
  }
  const parts = [
    { name: t('videoLink'), state: stateOf('video') },
    { name: t('title'), state: stateOf('title') },
    { name: t('description'), state: stateOf('description') },
    { name: t('tags'), state: stateOf('tags') },
    { name: t('article'), state: stateOf('article') },
  ]
  return (
    <ItemFormFrame
      heading={heading}
      notice={notice}
      state={state}
      alertHeading={announced === undefined ? undefined : t('notPublishedYet')}
      alertSteps={
        <>
          {alertSteps}
          <OlderLesson older={refused?.older} />
        </>
      }
      asksReason={asksReason}
      sending={item.sending}
      submit={props.submit(uploads)}
      preview={
        <ItemPreview
          seed={seed}
          values={values}
          paper={paper}
          price={LESSON_PRICE}
          current={shown}
          owner={owner}
          parts={parts}
        />
      }
      first={
        <Field
          label={t('videoLink')}
          help={
            <VideoHelp
              title={values.title.trim() === '' ? (offer?.title ?? null) : null}
              hasPicture={offered !== undefined && values.image === undefined}
              isGone={offer?.isGone === true}
              onTake={(title) => {
                form.setValue('title', title, CHANGED)
                form.setFocus('title')
              }}
            />
          }
          error={errorOf('video')}
        >
          {(wiring) => <TextInput {...wiring} type="url" autoComplete="off" {...video} />}
        </Field>
      }
    >
      <TagsField
        key={`tags ${edition}`}
        plain={plain}
        initial={values.tags}
        error={errorOf('tags')}
        onChange={(tags) => change('tags', tags)}
        onBlur={() => void form.trigger('tags')}
      />
      <ArticleField
        plain={plain}
        value={values.article}
        edition={edition}
        error={errorOf('article')}
        onChange={(html) => change('article', html)}
        onBlur={() => void form.trigger('article')}
      />
      <input type="hidden" name="cover" value="drawn" />
      {typeof announced === 'string' && <input type="hidden" name="announced" value={announced} />}
      <PictureChoice
        value={values.image}
        current={shown}
        error={errorOf('image')}
        help={t('pictureDrawn')}
        ways={[
          ...(offered === undefined || isTaken
            ? []
            : [{ label: t('useVideoPicture'), take: () => choosePicture(offered, null) }]),
          ...(isTaken || (shown !== undefined && !isPatternPaper(shown))
            ? [{ label: t('usePaper'), take: drawCover }]
            : []),
        ]}
        onChange={(file) => choosePicture(file, null)}
      />
      <OptionalParts
        key={`optional ${edition}`}
        isFilled={values.opening !== '' || values.resources !== '' || values.checks.length > 0}
        isRefused={[errorOf('opening'), errorOf('resources'), errorOf('checks')].some(
          (error) => error !== undefined,
        )}
      >
        <Field
          label={t('opening')}
          help={t('openingHelp', { max: OPENING.max })}
          error={errorOf('opening')}
          {...state.countOf('opening', OPENING)}
        >
          {(wiring) => (
            <TextArea {...wiring} dir="auto" autoComplete="off" {...register('opening')} />
          )}
        </Field>
        <ResourceField
          value={values.resources}
          error={errorOf('resources')}
          onChange={(resource) => change('resources', resource)}
          onBlur={() => void form.trigger('resources')}
          onBusy={setUploads}
        />
        <QuestionsField
          key={`checks ${edition}`}
          value={values.checks}
          errorOf={(path) => errorOf(path as FieldPath<LessonValues>)}
          onChange={(questions) =>
            form.setValue('checks', [...questions], { shouldDirty: true, shouldTouch: true })
          }
          judge={(paths) => void form.trigger(paths as FieldPath<LessonValues>[])}
          forgive={() => form.clearErrors('checks')}
        />
      </OptionalParts>
    </ItemFormFrame>
  )
}
