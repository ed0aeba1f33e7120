import { memo } from 'react'
import type { Said } from '#web/chat/conversation/conversation.ts'
import { piecesOf } from '#web/chat/room/own-addresses.ts'
import type { MessageRow } from '#web/chat/room/rows.ts'
import { useHydrated } from '#web/core/hydrated.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { useSettings } from '#web/core/settings.ts'
import { textLanguage } from '#web/core/text-language.ts'
import { Time } from '#web/core/time/Time.tsx'
import { classes } from '#web/ui/classes.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import styles from '#web/chat/Chat.module.css'

interface MessageLineProps {
  readonly row: MessageRow
  /** The other person's name. */
  readonly other: string
  /** Stays the same function; null for who may not report. */
  readonly onReport: ((said: Said) => void) | null
}

/** A message. Rows are made again with each one that comes; an equal one is not rendered again. */
export const MessageLine = memo(
  function MessageLine({ row, other, onReport }: MessageLineProps) {
    const { t } = useText()
    const { said, opensTurn, closesTurn } = row
    const { isOwn, date } = said
    return (
      <>
        {opensTurn && <p className="sr">{isOwn ? t('saidByYou') : other}</p>}
        <Bubble said={said} onReport={isOwn ? null : onReport} />
        {closesTurn && (
          <p className={classes(styles.at, isOwn && styles.mine)}>
            <Time date={date} form="stamp" />
          </p>
        )}
      </>
    )
  },
  (old, next) =>
    old.other === next.other &&
    old.onReport === next.onReport &&
    old.row.said === next.row.said &&
    old.row.opensTurn === next.row.opensTurn &&
    old.row.closesTurn === next.row.closesTurn,
)

interface BubbleProps extends Pick<MessageLineProps, 'onReport'> {
  readonly said: Said
}

function Bubble({ said, onReport }: BubbleProps) {
  const { t } = useText()
  const { id, text, isOwn } = said
  const bubble = (
    <p
      id={`message-${id}`}
      data-message="sent"
      className={classes(styles.msg, isOwn && styles.mine)}
      lang={textLanguage(text)}
      dir="auto"
    >
      <Addressed text={text} />
    </p>
  )
  if (onReport === null) return bubble
  return (
    <div className={styles.theirs}>
      {bubble}
      <IconButton
        icon="flag"
        label={t('report')}
        // One of them is a stop of the Tab key, see useFlagSteps.
        tabIndex={-1}
        aria-haspopup="dialog"
        aria-describedby={`message-${id}`}
        onClick={() => onReport(said)}
      />
    </div>
  )
}

/** The text as it is, with the addresses of lessons and courses of ours as links. */
function Addressed({ text }: { readonly text: string }) {
  const { origin } = useSettings()
  return piecesOf(text, origin).map((piece, place) =>
    typeof piece === 'string' ? (
      piece
    ) : (
      <Link key={place} to={piece.path}>
        {piece.address}
      </Link>
    ),
  )
}

/** Above the first message of a day. */
export function DayLine({ date }: { readonly date: string }) {
  const { t, formatLongDay } = useText()
  const hydrated = useHydrated()
  const day = hydrated ? undefined : 'UTC'
  return <p className={styles.day}>{near() ?? formatLongDay(date, day)}</p>

  function near(): string | null {
    // The server does not know which day it is where the person sits.
    if (!hydrated) return null
    const days = daysUntilToday(new Date(date))
    if (days === 0) return t('dayToday')
    return days === 1 ? t('dayYesterday') : null
  }
}

function daysUntilToday(moment: Date): number {
  const now = new Date()
  const today = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate())
  const then = Date.UTC(moment.getFullYear(), moment.getMonth(), moment.getDate())
  return (today - then) / 86_400_000
}
