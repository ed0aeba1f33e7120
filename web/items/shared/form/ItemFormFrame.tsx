import { type ReactNode, useId } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { DESCRIPTION, type Range, REASON, TITLE } from '#contract/limits.ts'
import { FormAlert } from '#web/core/form/FormAlert.tsx'
import { useFocusOnRefusal } from '#web/core/form/focus-refused.ts'
import type { FormState } from '#web/core/form/form.ts'
import { useText } from '#web/core/i18n.tsx'
import { DraftState } from '#web/items/drafts/DraftState.tsx'
import type { SendingState } from '#web/items/drafts/sender.ts'
import { Field } from '#web/ui/inputs/Field.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'
import styles from '#web/ui/inputs/Form.module.css'
import { classes } from '#web/ui/classes.ts'
import itemStyles from '#web/ui/styles/Item.module.css'

type TextField = 'title' | 'description' | 'reason'

/** The part of the form's state that doesn't depend on a kind's other fields. */
interface SharedFields extends Pick<FormState<never>, 'plainly' | 'onSubmit' | 'alert' | 'busy'> {
  readonly register: (field: TextField) => UseFormRegisterReturn<TextField>
  readonly errorOf: (field: TextField) => string | undefined
  readonly countOf: (field: TextField, range: Range) => { count: string; over: boolean }
}

interface ItemFormFrameProps {
  readonly heading: string
  /** Notes about drafts and about the item itself, below the heading. */
  readonly notice: ReactNode
  readonly state: SharedFields
  readonly alertHeading?: string | undefined
  /** Buttons after the alert's text. */
  readonly alertSteps?: ReactNode
  readonly first?: ReactNode
  /** The fields after title and description. */
  readonly children: ReactNode
  /** True when an administrator edits somebody else's item. */
  readonly asksReason: boolean
  readonly sending: SendingState
  readonly submit: ReactNode
  readonly preview: ReactNode
}

/** The form of a lesson or course: the common fields with those of one kind around them, beside the preview. */
export function ItemFormFrame(props: ItemFormFrameProps) {
  const { heading, notice, state, alertSteps, first, children, asksReason, submit, preview } = props
  const { t } = useText()
  const id = useId()
  const box = useFocusOnRefusal(state.busy)
  return (
    <div className={classes(itemStyles.item, itemStyles.create)}>
      <form
        className={styles.form}
        // Without an action, which would send it before hydration too (see early-acts.ts).
        method={state.plainly.method}
        encType={state.plainly.encType}
        aria-labelledby={id}
        ref={box}
        onSubmit={state.onSubmit}
        noValidate
      >
        <div>
          <h1 id={id}>{heading}</h1>
          {notice}
        </div>
        <FormAlert alert={state.alert} heading={props.alertHeading}>
          {alertSteps}
        </FormAlert>
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
        <DraftState state={props.sending} />
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
