import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { DraftOffers } from '#web/core/form/DraftOffers.tsx'
import { useText } from '#web/core/i18n.tsx'
import type { DraftOffer } from '#web/core/storage/drafts.ts'
import { Button } from '#web/ui/Button.tsx'
import { classes } from '#web/ui/classes.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { TextArea } from '#web/ui/inputs/TextArea.tsx'
import styles from './ComposeForm.module.css'
import fieldStyles from '#web/ui/inputs/Field.module.css'

export interface Refusal {
  readonly text: string
  /** Tells two refusals with the same sentence apart. */
  readonly number: number
}

export interface Writing {
  readonly text: string
  /** In code points, as in the limits. */
  readonly length: number
  readonly max: number
  /** A packed message; null when the text may be sent. */
  readonly wrong: string | null
  readonly refusal: Refusal | null
  readonly busy: boolean
  readonly write: (text: string) => void
  readonly send: () => Promise<void>
  /** Drafts from other tabs. */
  readonly offers: readonly DraftOffer[]
}

interface ComposeFormProps {
  readonly writing: Writing
  readonly above?: ReactNode
  /** Names the field for screen readers only. */
  readonly label: ReactNode
  readonly placeholder?: string | undefined
  readonly rows: number
  /** Shown below the field while nothing is wrong. */
  readonly note: ReactNode
  readonly step: string
  /** True when the viewer opened the field in order to write. */
  readonly focusAtOnce: boolean
  readonly onCancel?: (() => void) | undefined
}

/** A text field for a few sentences. Ctrl+Enter sends, and a refused text stays in the field. */
export function ComposeForm({
  writing,
  above,
  label,
  placeholder,
  rows,
  note,
  step,
  focusAtOnce,
  onCancel,
}: ComposeFormProps) {
  const { t } = useText()
  const id = useId()
  const { text, length, max, wrong, refusal, busy, write, send, offers } = writing
  const box = useRef<HTMLTextAreaElement>(null)
  const [left, setLeft] = useState(false)
  const isWrong = left && wrong !== null && length > 0
  const isOver = length > max || isWrong

  // The value is set by hand, because React would also write each text into the element's content, and the browser
  // checks the whole page after every such write, up to 5,000 comments included.
  useLayoutEffect(() => {
    if (box.current !== null && box.current.value !== text) box.current.value = text
  }, [text])

  useFocusAtOnce(box, focusAtOnce)

  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    setLeft(true)
    if (wrong !== null) return
    void send().then(() => {
      setLeft(false)
      // The button disappears with the text; without this a keyboard user would lose the focus.
      box.current?.focus()
    })
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Escape' && onCancel !== undefined) {
      onCancel()
      return
    }
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    event.currentTarget.form?.requestSubmit()
  }
  return (
    <form className={styles.compose} noValidate onSubmit={submit}>
      {above}
      <DraftOffers offers={offers} />
      <label className="sr" htmlFor={id}>
        {label}
      </label>
      <TextArea
        id={id}
        ref={box}
        rows={rows}
        dir="auto"
        placeholder={placeholder}
        aria-describedby={`${id}-note ${id}-count${refusal === null ? '' : ` ${id}-refusal`}`}
        aria-invalid={isWrong || refusal !== null || undefined}
        onChange={(event) => write(event.target.value)}
        onBlur={() => setLeft(true)}
        onKeyDown={onKeyDown}
      />
      <div className={styles.footRow}>
        <Note id={`${id}-note`} wrong={isWrong ? wrong : null}>
          {note}
        </Note>
        <span className={classes(fieldStyles.count, isOver && fieldStyles.over)} id={`${id}-count`}>
          {t('count', { length, max })}
        </span>
        {onCancel !== undefined && <Button onClick={onCancel}>{t('cancel')}</Button>}
        <Button
          kind="main"
          type="submit"
          busy={busy}
          disabled={wrong !== null}
          aria-describedby={wrong === null ? undefined : `${id}-note`}
        >
          {step}
        </Button>
      </div>
      {refusal !== null && (
        <Refused key={refusal.number} id={`${id}-refusal`} text={refusal.text} />
      )}
    </form>
  )
}

interface NoteProps {
  readonly id: string
  /** A packed message; null when the text is valid. */
  readonly wrong: string | null
  readonly children: ReactNode
}

function Note({ id, wrong, children }: NoteProps) {
  const { tp } = useText()
  if (wrong === null)
    return (
      <p className={classes(fieldStyles.help, styles.help)} id={id}>
        {children}
      </p>
    )
  return (
    <p data-error className={classes(fieldStyles.error, styles.error)} id={id}>
      <Icon name="warn" />
      {tp(wrong)}
    </p>
  )
}

function Refused({ id, text }: { readonly id: string; readonly text: string }) {
  return (
    <p data-error className={classes(fieldStyles.error, styles.error)} role="alert" id={id}>
      <Icon name="warn" />
      {text}
    </p>
  )
}

function useFocusAtOnce(field: RefObject<HTMLElement | null>, isAsked: boolean): void {
  useEffect(() => {
    if (isAsked) field.current?.focus()
  }, [field, isAsked])
}
