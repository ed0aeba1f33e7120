import { useEffect, useMemo, useRef, useState } from 'react'
import { type Conversation, type Said, unsentShown } from '#web/chat/conversation/conversation.ts'
import { chunkGroups, groupMessages } from '#web/chat/room/groups.ts'
import { useFlagSteps } from '#web/chat/room/flag-steps.ts'
import { MessageChunk } from '#web/chat/room/MessageChunk.tsx'
import { OlderMessages } from '#web/chat/room/OlderMessages.tsx'
import type { Room } from '#web/chat/conversation/room.ts'
import { UnsentMessage } from '#web/chat/room/UnsentMessage.tsx'
import { useHydrated } from '#web/core/hydrated.ts'
import { useText } from '#web/core/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'

interface MessageLogProps {
  readonly room: Room | null
  readonly conversation: Conversation
  /** The other person's name. */
  readonly other: string
  /** Stays the same function; null for who may not report. */
  readonly onReport: ((said: Said) => void) | null
}

/** Pixels from the newest message at which the way back to it is offered. */
const AWAY = 240

/**
 * All messages, oldest first. The box is laid out from below, so it starts at the newest, and what comes in above
 * moves nothing.
 */
export function MessageLog({ room, conversation, other, onReport }: MessageLogProps) {
  const { t } = useText()
  const { said, newFrom, hasOlder, known } = conversation
  const box = useRef<HTMLDivElement>(null)
  const [isAway, setIsAway] = useState(false)
  const hydrated = useHydrated()
  const [starts, setStarts] = useState<readonly number[]>([known.from])
  if (!starts.includes(known.from)) setStarts([...starts, known.from])
  const chunks = useMemo(
    () => chunkGroups(groupMessages(said, newFrom, !hydrated), starts),
    [said, newFrom, hydrated, starts],
  )
  const unsent = unsentShown(conversation)
  const fresh = newFrom === null ? 0 : said.filter((one) => !one.isOwn && one.id >= newFrom).length

  const goToNewest = () => {
    if (box.current !== null) box.current.scrollTop = 0
  }
  const onFlagKeys = useFlagSteps(box, said)
  const lastDraft = unsent.at(-1)?.draftId
  useEffect(() => {
    if (lastDraft !== undefined && box.current !== null) box.current.scrollTop = 0
  }, [lastDraft])

  return (
    <div className="log-place">
      <div
        className="log"
        role="log"
        // Older ones that are fetched would be read out too: what is new is said below.
        aria-live="off"
        aria-label={t('chatMessages')}
        tabIndex={0}
        onKeyDown={onFlagKeys}
        ref={box}
        onScroll={(event) => setIsAway(event.currentTarget.scrollTop < -AWAY)}
      >
        <div>
          {hasOlder && room !== null && <OlderMessages key={known.from} room={room} box={box} />}
          {said.length === 0 && unsent.length === 0 && (
            <p className="none quiet">{t('noMessages')}</p>
          )}
          {chunks.map((chunk) => (
            <MessageChunk
              key={chunk.start}
              chunk={chunk}
              other={other}
              fresh={fresh}
              onReport={onReport}
            />
          ))}
          {room !== null &&
            unsent.map((one) => <UnsentMessage key={one.draftId} unsent={one} room={room} />)}
        </div>
      </div>
      {isAway && (
        <Button className="to-newest" icon="down" onClick={goToNewest}>
          {t('toNewest')}
        </Button>
      )}
      <LastArrival conversation={conversation} other={other} />
    </div>
  )
}

/** What the other person has just written, for those who hear the page. */
function LastArrival({ conversation, other }: Pick<MessageLogProps, 'conversation' | 'other'>) {
  const last = conversation.said.at(-1)
  const [shownFirst] = useState(last?.id)
  const isNews = last !== undefined && last.id !== shownFirst && !last.isOwn
  return (
    <p className="sr" role="status">
      {isNews && `${other}: ${last.text}`}
    </p>
  )
}
