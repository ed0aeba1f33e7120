import type { Said } from '#web/chat/conversation/conversation.ts'
import type { Group } from '#web/chat/room/groups.ts'
import { piecesOf } from '#web/chat/room/own-addresses.ts'
import { useHydrated } from '#web/core/hydrated.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { useSettings } from '#web/core/settings.ts'
import { textLanguage } from '#web/core/text-language.ts'
import { Time } from '#web/core/time/Time.tsx'
import { classes } from '#web/ui/classes.ts'
import { IconButton } from '#web/ui/IconButton.tsx'

interface MessageGroupProps {
  readonly group: Group
  /** The other person's name. */
  readonly other: string
  /** Null for who may not report. */
  readonly onReport: ((said: Said) => void) | null
}

/** What one person wrote within a minute, and when. */
export function MessageGroup({ group, other, onReport }: MessageGroupProps) {
  const { t } = useText()
  const { isOwn, said } = group
  return (
    <div className={classes('group', isOwn && 'mine')}>
      <p className="sr">{isOwn ? t('saidByYou') : other}</p>
      {said.map((one) => (
        <Bubble key={one.id} said={one} onReport={isOwn ? null : onReport} />
      ))}
      <p className={classes('at', isOwn && 'mine')}>
        <Time date={said[0]?.date ?? ''} form="stamp" />
      </p>
    </div>
  )
}

interface BubbleProps extends Pick<MessageGroupProps, 'onReport'> {
  readonly said: Said
}

function Bubble({ said, onReport }: BubbleProps) {
  const { t } = useText()
  const { id, text, isOwn } = said
  const bubble = (
    <p
      id={`message-${id}`}
      className={classes('msg', isOwn && 'mine')}
      lang={textLanguage(text)}
      dir="auto"
    >
      <Addressed text={text} />
    </p>
  )
  if (onReport === null) return bubble
  return (
    <div className="theirs">
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
  return <p className="day">{near() ?? formatLongDay(date, day)}</p>

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
