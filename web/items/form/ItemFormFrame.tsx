/** The frame of a lesson's or a course's form: one column, the preview beside it. */
import { type ReactNode, useId } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { DESCRIPTION, type Range, REASON, TITLE } from '#contract/limits.ts'
import { FormAlert } from '#web/core/form/FormAlert.tsx'
import { useFocusOnRefusal } from '#web/core/form/focus-refused.ts'
import type { FormState } from '#web/core/form/form.ts'
import { useText } from '#web/core/i18n.tsx'
import { Field } from '#web/ui/inputs/Field.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'
import styles from '#web/ui/inputs/Form.module.css'
import { classes } from '#web/ui/classes.ts'
import itemStyles from '#web/ui/styles/Item.module.css'

type TextField = 'title' | 'description' | 'reason'

/** What is the same in the forms of both kinds, whatever other fields they have. */
interface SharedFields extends Pick<FormState<never>, 'onSubmit' | 'alert' | 'busy'> {
  readonly register: (field: TextField) => UseFormRegisterReturn<TextField>
  readonly errorOf: (field: TextField) => string | undefined
  readonly countOf: (field: TextField, range: Range) => { count: string; over: boolean }
}

interface ItemFormFrameProps {
  readonly heading: string
  /** Under the heading: what is known of drafts, and of the item itself. */
  readonly lines: ReactNode
  readonly state: SharedFields
  /** After the words of the alert. */
  readonly alertSteps?: ReactNode
  /** The fields before title and description. */
  readonly first?: ReactNode
  /** The fields after title and description. */
  readonly children: ReactNode
  /** Asks for an administrator's reason, for somebody else's item. */
  readonly asksReason: boolean
  /** The button and what stands round it. */
  readonly submit: ReactNode
  readonly preview: ReactNode
}

/** The form of a lesson or a course: what both ask for, around the fields that only one of them has, beside its preview. */
export function ItemFormFrame(props: ItemFormFrameProps) {
  const { heading, lines, state, alertSteps, first, children, asksReason, submit, preview } = props
  const { t } = useText()
  const id = useId()
  const box = useFocusOnRefusal(state.busy)
  return (
    <div className={classes(itemStyles.item, itemStyles.create)}>
      <form
        className={styles.form}
        aria-labelledby={id}
        ref={box}
        onSubmit={state.onSubmit}
        noValidate
      >
        <div>
          <h1 id={id}>{heading}</h1>
          {lines}
        </div>
        <FormAlert alert={state.alert}>{alertSteps}</FormAlert>
        {first}
        <TextLine
          state={state}
          field="title"
          label={t('title')}
          help={t('lengthHelp', { ...TITLE })}
          range={TITLE}
        />
        <TextLine
          state={state}
          field="description"
          label={t('description')}
          help={t('descriptionHelp', { ...DESCRIPTION })}
          range={DESCRIPTION}
        />
        {children}
        {asksReason && (
          <Field
            label={t('reasonLabel')}
            error={state.errorOf('reason')}
            {...state.countOf('reason', REASON)}
          >
            {(wiring) => <TextInput {...wiring} dir="auto" {...state.register('reason')} />}
          </Field>
        )}
        <div className={styles.submit}>{submit}</div>
      </form>
      {preview}
    </div>
  )
}

interface TextLineProps extends Pick<ItemFormFrameProps, 'state'> {
  readonly field: 'title' | 'description'
  readonly label: string
  readonly help: string
  readonly range: Range
}

function TextLine({ state, field, label, help, range }: TextLineProps) {
  return (
    <Field label={label} help={help} error={state.errorOf(field)} {...state.countOf(field, range)}>
      {(wiring) => (
        <TextInput {...wiring} dir="auto" autoComplete="off" {...state.register(field)} />
      )}
    </Field>
  )
}
