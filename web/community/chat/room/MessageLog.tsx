import { type ReactElement, type ReactNode, type RefObject, useMemo, useRef, useState } from 'react'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import {
  type Conversation,
  type ConfirmedMessage,
  type Unsent,
  unsentShown,
} from '#web/community/chat/conversation/conversation.ts'
import type { Room } from '#web/community/chat/conversation/room.ts'
import { useFlagSteps } from '#web/community/chat/room/flag-steps.ts'
import { DayLine, MessageLine } from '#web/community/chat/room/MessageLine.tsx'
import { OlderMessages } from '#web/community/chat/room/OlderMessages.tsx'
import { type LogRow, listRows } from '#web/community/chat/room/rows.ts'
import { UnsentMessage } from '#web/community/chat/room/UnsentMessage.tsx'
import {
  type LogScroll,
  useIsPrepended,
  useLogScroll,
} from '#web/community/chat/room/use-log-scroll.ts'
import { useHydrated } from '#web/core/hydrated.ts'
import { useText } from '#web/core/i18n.tsx'
import { classes } from '#web/ui/classes.ts'
import { Button } from '#web/ui/Button.tsx'
import styles from '#web/community/chat/Chat.module.css'

interface MessageLogProps {
  readonly room: Room | null
  readonly conversation: Conversation
  readonly other: string
  /** Must be a stable function. Null if the user may not report. */
  readonly onReport: ((message: ConfirmedMessage) => void) | null
}

type Row = LogRow | { readonly kind: 'unsent'; readonly key: string; readonly unsent: Unsent }

/** Height in px of the area above the rows, where older messages load. */
const HEAD = 96
/** Rows this many px beyond the visible part are rendered, so that arrow keys can move from flag to flag. */
const BUFFER = 1600

/**
 * A virtual list: only rows near the visible ones are in the DOM. Before hydration it is the newest page of messages,
 * aligned to the bottom.
 */
export function MessageLog({ room, conversation, other, onReport }: MessageLogProps) {
  const { t } = useText()
  const { confirmed: all, newFrom, hasOlder, known } = conversation
  const box = useRef<HTMLDivElement>(null)
  const hydrated = useHydrated()
  const logRows = useMemo(() => listRows(all, newFrom, !hydrated), [all, newFrom, hydrated])
  const unsent = unsentShown(conversation)
  const rows: Row[] = [
    ...logRows,
    ...unsent.map((one) => ({ kind: 'unsent' as const, key: one.draftId, unsent: one })),
  ]
  const fresh = newFrom === null ? 0 : all.filter((one) => !one.isOwn && one.id >= newFrom).length
  const list = useRef<VirtualizerHandle>(null)
  const scroll = useLogScroll(
    list,
    { count: rows.length, written: unsent.at(-1)?.draftId },
    hydrated,
  )
  const isPrepended = useIsPrepended(all[0]?.id)
  const flags = useFlagSteps(box, all)
  const [keptKey, setKeptKey] = useState<string | null>(null)
  // The area for older messages stays once shown, or all rows would move after the last page has loaded.
  const [hadOlder] = useState(hasOlder)
  const draw = (row: Row, index: number) => (
    <LogItem
      key={row.key}
      row={row}
      first={index === 0 && !hadOlder}
      last={index === rows.length - 1}
    >
      <RowView row={row} room={room} other={other} fresh={fresh} onReport={onReport} />
    </LogItem>
  )
  return (
    <div className={styles.logPlace}>
      <div
        className={classes(styles.log, hydrated && styles.windowed)}
        role="log"
        // Screen readers would announce older messages that load. LastArrival announces the new ones.
        aria-live="off"
        aria-label={t('chatMessages')}
        tabIndex={0}
        onKeyDown={flags.onKeys}
        onFocus={({ target }) => setKeptKey(rowKeyOf(target))}
        onBlur={() => setKeptKey(null)}
        ref={box}
      >
        {rows.length === 0 && <p className={classes('quiet', styles.none)}>{t('noMessages')}</p>}
        {hydrated ? (
          <>
            {hadOlder && (
              <div className={styles.logHead}>
                {hasOlder && room !== null && scroll.isPlaced && (
                  <OlderMessages key={known.from} room={room} box={box} />
                )}
              </div>
            )}
            <Window
              rows={rows}
              list={list}
              box={box}
              scroll={scroll}
              isPrepended={isPrepended}
              head={hadOlder ? HEAD : 0}
              keptKey={keptKey}
              onMove={flags.settle}
            >
              {draw}
            </Window>
          </>
        ) : (
          <div>{rows.map(draw)}</div>
        )}
      </div>
      {scroll.isAway && <ToNewest onClick={scroll.goToNewest} />}
      <LastArrival conversation={conversation} other={other} />
    </div>
  )
}

const rowKeyOf = (element: Element): string | null =>
  element.closest('[data-row]')?.getAttribute('data-row') ?? null

function ToNewest({ onClick }: { readonly onClick: () => void }) {
  const { t } = useText()
  return (
    <Button className={styles.toNewest} icon="down" onClick={onClick}>
      {t('toNewest')}
    </Button>
  )
}

interface WindowProps {
  readonly rows: readonly Row[]
  readonly list: RefObject<VirtualizerHandle | null>
  /** The scroll container. */
  readonly box: RefObject<HTMLElement | null>
  readonly scroll: LogScroll
  readonly isPrepended: boolean
  /** Height in px of the area above the rows. */
  readonly head: number
  /** The focused row stays rendered. */
  readonly keptKey: string | null
  readonly onMove: () => void
  readonly children: (row: Row, index: number) => ReactElement
}

function Window({
  rows,
  list,
  box,
  scroll,
  isPrepended,
  head,
  keptKey,
  onMove,
  children,
}: WindowProps) {
  const kept = rows.findIndex(({ key }) => key === keptKey)
  return (
    <Virtualizer
      ref={list}
      scrollRef={box}
      data={rows}
      startMargin={head}
      bufferSize={BUFFER}
      shift={isPrepended}
      {...(kept >= 0 && { keepMounted: [kept] })}
      onScroll={(offset) => scroll.onScroll(offset)}
      onScrollEnd={onMove}
      onResize={() => {
        scroll.onResize()
        onMove()
      }}
    >
      {children}
    </Virtualizer>
  )
}

interface LogItemProps {
  readonly row: Row
  readonly first: boolean
  readonly last: boolean
  readonly children: ReactNode
}

function LogItem({ row, first, last, children }: LogItemProps) {
  return (
    <div
      className={classes(styles.logItem, first && styles.first, last && styles.last)}
      data-row={row.key}
    >
      {children}
    </div>
  )
}

interface RowViewProps extends Pick<MessageLogProps, 'room' | 'other' | 'onReport'> {
  readonly row: Row
  /** The count in the "new messages" divider. */
  readonly fresh: number
}

function RowView({ row, room, other, fresh, onReport }: RowViewProps) {
  const { t } = useText()
  if (row.kind === 'message') return <MessageLine row={row} other={other} onReport={onReport} />
  if (row.kind === 'day') return <DayLine date={row.date} />
  if (row.kind === 'unsent')
    return room !== null && <UnsentMessage unsent={row.unsent} room={room} />
  return (
    <p className={styles.new} role="separator">
      {t('newMessages', { count: fresh })}
    </p>
  )
}

/** Announces the other person's newest message to screen readers. */
function LastArrival({ conversation, other }: Pick<MessageLogProps, 'conversation' | 'other'>) {
  const last = conversation.confirmed.at(-1)
  const [shownFirst] = useState(last?.id)
  const isNews = last !== undefined && last.id !== shownFirst && !last.isOwn
  return (
    <p className="sr" role="status">
      {isNews && `${other}: ${last.text}`}
    </p>
  )
}
