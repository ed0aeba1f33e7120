import { memo } from 'react'
import type { Said } from '#web/chat/conversation/conversation.ts'
import type { Chunk, Group } from '#web/chat/room/groups.ts'
import { DayLine, MessageGroup } from '#web/chat/room/MessageGroup.tsx'
import { useText } from '#web/core/i18n.tsx'

interface MessageChunkProps {
  readonly chunk: Chunk
  /** The other person's name. */
  readonly other: string
  /** How many the "new messages" divider names. */
  readonly fresh: number
  /** Stays the same function. */
  readonly onReport: ((said: Said) => void) | null
}

/** A stretch of the conversation. Chunks are made again with each message; those that say the same are not drawn again. */
export const MessageChunk = memo(
  function MessageChunk({ chunk, other, fresh, onReport }: MessageChunkProps) {
    const { t } = useText()
    return (
      <div className="chunk">
        {chunk.groups.map((group) => (
          <div key={group.said[0]?.id} className="chat-stretch">
            {group.opensDay && <DayLine date={group.said[0]?.date ?? ''} />}
            {group.opensNew && (
              <p className="new" role="separator">
                {t('newMessages', { count: fresh })}
              </p>
            )}
            <MessageGroup group={group} other={other} onReport={onReport} />
          </div>
        ))}
      </div>
    )
  },
  (old, next) =>
    old.other === next.other &&
    old.onReport === next.onReport &&
    old.chunk.groups.length === next.chunk.groups.length &&
    old.chunk.groups.every((group, place) => {
      const other = next.chunk.groups[place]
      return (
        other !== undefined && isSame(group, other) && (!group.opensNew || old.fresh === next.fresh)
      )
    }),
)

function isSame(one: Group, other: Group): boolean {
  return (
    one.isOwn === other.isOwn &&
    one.opensDay === other.opensDay &&
    one.opensNew === other.opensNew &&
    one.said.length === other.said.length &&
    one.said.every((message, place) => message === other.said[place])
  )
}
