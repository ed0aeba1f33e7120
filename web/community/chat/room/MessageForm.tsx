import {
  type KeyboardEvent,
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { MessageText } from '#contract/chat.ts'
import { lengthOf, normalizeText } from '#contract/measure.ts'
import { CHAT_MESSAGE } from '#contract/limits.ts'
import type { ProfileCard } from '#contract/profile-card.ts'
import type { Room } from '#web/community/chat/conversation/room.ts'
import { useDraft } from '#web/core/storage/drafts.ts'
import { useText } from '#web/core/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import { classes } from '#web/ui/classes.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { TextArea } from '#web/ui/inputs/TextArea.tsx'
import styles from '#web/community/chat/Chat.module.css'
import fieldStyles from '#web/ui/inputs/Field.module.css'

interface MessageFormProps {
  readonly room: Room | null
  readonly other: ProfileCard
}

/** Enter sends, Shift+Enter starts a new line. Unsent text is stored as a draft. */
export function MessageForm({ room, other }: MessageFormProps) {
  const { t } = useText()
  const id = useId()
  const box = useRef<HTMLTextAreaElement>(null)
  const draft = useDraft<string>(`chat:${other.id}`)
  const { read } = draft
  const [text, setText] = useState('')
  const [left, setLeft] = useState(false)
  // Suppresses the "too short" error when the user leaves the field that a message has just emptied.
  const [hasSent, setHasSent] = useState(false)
  const length = lengthOf(normalizeText(text))
  const wrong = MessageText.safeParse(text).error?.issues[0]?.message ?? null
  const isWrong = wrong !== null && left && !(hasSent && length === 0)

  useEffect(() => {
    const field = box.current
    if (field === null) return
    // Text typed before hydration is newer than the draft.
    if (field.value === '') field.value = read()?.values ?? ''
    setText(field.value)
    fitRows(field)
  }, [read])

  useFocusAtFirst(box, other.userName)

  const write = (field: HTMLTextAreaElement) => {
    setText(field.value)
    fitRows(field)
    if (field.value.trim() === '') draft.drop()
    else draft.save(field.value)
  }
  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    const field = box.current
    if (field === null || room === null) return
    if (wrong !== null) {
      setLeft(true)
      return
    }
    room.send(normalizeText(field.value))
    room.dropDivider()
    field.value = ''
    write(field)
    setHasSent(true)
    setLeft(false)
    field.focus()
  }
  return (
    <form className={styles.write} noValidate onSubmit={send}>
      <label className="sr" htmlFor={id}>
        {t('messageTo', { username: other.userName })}
      </label>
      <TextArea
        id={id}
        ref={box}
        rows={1}
        dir="auto"
        placeholder={t('messagePlaceholder')}
        aria-describedby={`${id}-note ${id}-count`}
        aria-invalid={isWrong || undefined}
        onChange={(event) => write(event.target)}
        onBlur={() => setLeft(length > 0)}
        onKeyDown={sendOnEnter}
      />
      <Button
        kind="main"
        type="submit"
        icon="send"
        disabled={room === null || wrong !== null}
        aria-describedby={wrong === null ? undefined : `${id}-note`}
      >
        {t('sendMessage')}
      </Button>
      <Help id={id} wrong={isWrong ? wrong : null} length={length} />
    </form>
  )
}

/**
 * Focuses the field once for each `person`, but not on touch devices, where the keyboard would cover the messages. A
 * navigation focuses <main> in a later effect, so this waits for the next frame.
 */
function useFocusAtFirst(box: RefObject<HTMLTextAreaElement | null>, person: string): void {
  useEffect(() => {
    if (!matchMedia('(pointer: fine)').matches) return undefined
    const frame = requestAnimationFrame(() => {
      const { activeElement } = document
      if (activeElement === document.body || activeElement?.id === 'main')
        box.current?.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [box, person])
}

interface HelpProps {
  /** The id of the field. The ids of its note and count derive from it. */
  readonly id: string
  /** A packed message, or null if the text is valid. */
  readonly wrong: string | null
  readonly length: number
}

function Help({ id, wrong, length }: HelpProps) {
  const { t, tp } = useText()
  return (
    <div className={classes(fieldStyles.help, styles.help)}>
      {wrong === null ? (
        <p className="by-keys" id={`${id}-note`}>
          {t('messageKeys')}
        </p>
      ) : (
        <p data-error className={fieldStyles.error} id={`${id}-note`} role="alert">
          <Icon name="warn" />
          {tp(wrong)}
        </p>
      )}
      <span
        className={classes(fieldStyles.count, 'num', length > CHAT_MESSAGE.max && fieldStyles.over)}
        id={`${id}-count`}
      >
        {t('count', { length, max: CHAT_MESSAGE.max })}
      </span>
    </div>
  )
}

function sendOnEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  // Enter confirms the text in an input method editor.
  if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}

const MOST_ROWS = 6

/** For browsers without `field-sizing`. */
function fitRows(field: HTMLTextAreaElement): void {
  field.rows = Math.min(MOST_ROWS, field.value.split('\n').length)
}
