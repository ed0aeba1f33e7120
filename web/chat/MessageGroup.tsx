import type { Group } from '#web/chat/groups.ts'
import { useHydrated } from '#web/core/hydrated.ts'
import { useText } from '#web/core/i18n.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { Time } from '#web/core/Time.tsx'
import { classes } from '#web/ui/classes.ts'

interface MessageGroupProps {
  readonly group: Group
  /** The other person's name. */
  readonly other: string
}

/** What one person wrote within a minute, and when. */
export function MessageGroup({ group, other }: MessageGroupProps) {
  const { t } = useText()
  const { isOwn, said } = group
  return (
    <div className={classes('group', isOwn && 'mine')}>
      <p className="sr">{isOwn ? t('saidByYou') : other}</p>
      {said.map(({ id, text }) => (
        <p
          key={id}
          className={classes('msg', isOwn && 'mine')}
          lang={textLanguage(text)}
          dir="auto"
        >
          {text}
        </p>
      ))}
      <p className={classes('at', isOwn && 'mine')}>
        <Time date={said[0]?.date ?? ''} />
      </p>
    </div>
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
