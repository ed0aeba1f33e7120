import { memo } from 'react'
import type { ConfirmedMessage } from '#web/community/chat/conversation/conversation.ts'
import { piecesOf } from '#web/community/chat/room/own-addresses.ts'
import type { MessageRow } from '#web/community/chat/room/rows.ts'
import { useHydrated } from '#web/core/hydrated.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { useSettings } from '#web/core/settings.ts'
import { textLanguage } from '#web/core/text-language.ts'
import { Time } from '#web/core/time/Time.tsx'
import { classes } from '#web/ui/classes.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import styles from '#web/community/chat/Chat.module.css'

interface MessageLineProps {
  readonly row: MessageRow
  readonly other: string
  /** Must be a stable function. Null if the user may not report. */
  readonly onReport: ((message: ConfirmedMessage) => void) | null
}

/** Rows are rebuilt with each new message, so an equal row must not render again. */
export const MessageLine = memo(
  function MessageLine({ row, other, onReport }: MessageLineProps) {
    const { t } = useText()
    const { message, opensTurn, closesTurn } = row
    const { isOwn, date } = message
    return (
      <>
        {opensTurn && <p className="sr">{isOwn ? t('saidByYou') : other}</p>}
        <Bubble message={message} onReport={isOwn ? null : onReport} />
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
    old.row.message === next.row.message &&
    old.row.opensTurn === next.row.opensTurn &&
    old.row.closesTurn === next.row.closesTurn,
)

interface BubbleProps extends Pick<MessageLineProps, 'onReport'> {
  readonly message: ConfirmedMessage
}

function Bubble({ message, onReport }: BubbleProps) {
  const { t } = useText()
  const { id, text, isOwn } = message
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
        // Only one of these buttons is a Tab stop; see useFlagSteps.
        tabIndex={-1}
        aria-haspopup="dialog"
        aria-describedby={`message-${id}`}
        onClick={() => onReport(message)}
      />
    </div>
  )
}

/** Turns URLs of lessons and courses on this site into links. */
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

export function DayLine({ date }: { readonly date: string }) {
  const { t, formatLongDay } = useText()
  const hydrated = useHydrated()
  const day = hydrated ? undefined : 'UTC'
  return <p className={styles.day}>{near() ?? formatLongDay(date, day)}</p>

  function near(): string | null {
    // The server does not know the user's time zone.
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
