/**
 * Exchanges messages with YouTube's player: it reports its time, its length and its end, and takes commands. This
 * needs no script of theirs.
 */
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { isRecord } from '#web/core/shape.ts'
import type { Place } from '#web/items/progress/marks.ts'
import { type Jump, useTellPlace } from '#web/core/video-times/VideoTimes.tsx'

export const PLAYER_ORIGIN = 'https://www.youtube-nocookie.com'

export interface PlayerListener {
  /** Called every few seconds of playing, and with `isPaused` when the video stops or the page is hidden. */
  readonly onPlace: (place: Place, isPaused: boolean) => void
}

const ENDED = 0
const PAUSED = 2
/** Seconds of video between two reports. */
const STEP = 5

/**
 * Listens to the player in `frame` and sends it jumps to other times. The jump that was the last one at the
 * beginning is part of its address.
 */
export function usePlayerPlace(
  frame: RefObject<HTMLIFrameElement | null>,
  jump: Jump | null,
  listener: PlayerListener | undefined,
): void {
  const tellPlace = useTellPlace()
  const tell = useEffectEvent((place: Place, isPaused: boolean) =>
    listener?.onPlace(place, isPaused),
  )
  const tellNow = useEffectEvent((at: number) => tellPlace?.(at))
  // The player ignores commands until it has sent a message. It sends its length once and its time repeatedly.
  const length = useRef<number | null>(null)
  const done = useRef(jump)
  const sendJump = useEffectEvent(() => {
    const player = frame.current?.contentWindow
    const of = length.current
    if (jump === null || jump === done.current || of === null || !player) return
    done.current = jump
    // Seeking beyond the end would report the video as finished.
    const at = of > 0 ? Math.min(jump.at, Math.max(0, of - 1)) : jump.at
    for (const [func, args] of [
      ['seekTo', [at, true]],
      ['playVideo', []],
    ])
      player.postMessage(JSON.stringify({ event: 'command', func, args }), PLAYER_ORIGIN)
  })
  useEffect(() => sendJump(), [jump])
  // A layout effect runs before the frame can have loaded; its load event is the only sign that it accepts
  // messages.
  useLayoutEffect(() => {
    const player = frame.current
    if (player === null) return undefined
    let reported = -STEP
    let last: Place | null = null
    let rested = -1
    const rest = () => {
      if (last === null || last.at === rested) return
      rested = last.at
      tell(last, true)
    }
    const hide = () => {
      if (document.visibilityState === 'hidden') rest()
    }
    const onMessage = (event: MessageEvent<unknown>) => {
      if (event.origin !== PLAYER_ORIGIN || event.source !== player.contentWindow) return
      const info = readInfo(event.data)
      if (info === null) return
      const of = info.duration ?? length.current ?? 0
      length.current = of
      sendJump()
      const at = info.currentTime
      if (at !== undefined) tellNow(at)
      if (at !== undefined && of > 0) last = { at, of }
      if (last !== null && Math.abs(last.at - reported) >= STEP) {
        reported = last.at
        tell(last, false)
      }
      if (info.playerState === ENDED && of > 0) last = { at: of, of }
      if (info.playerState === ENDED || info.playerState === PAUSED) rest()
    }
    const askToTell = () => {
      const question = JSON.stringify({ event: 'listening', id: 1, channel: 'widget' })
      player.contentWindow?.postMessage(question, PLAYER_ORIGIN)
    }
    window.addEventListener('message', onMessage)
    player.addEventListener('load', askToTell)
    document.addEventListener('visibilitychange', hide)
    window.addEventListener('pagehide', rest)
    return () => {
      rest()
      document.removeEventListener('visibilitychange', hide)
      window.removeEventListener('pagehide', rest)
      window.removeEventListener('message', onMessage)
      player.removeEventListener('load', askToTell)
    }
  }, [frame])
}

interface Info {
  readonly currentTime: number | undefined
  readonly duration: number | undefined
  readonly playerState: number | undefined
}

function readInfo(data: unknown): Info | null {
  if (typeof data !== 'string') return null
  try {
    const message: unknown = JSON.parse(data)
    if (!isRecord(message) || !isRecord(message['info'])) return null
    const { currentTime, duration, playerState } = message['info']
    return {
      currentTime: numberIn(currentTime),
      duration: numberIn(duration),
      playerState: numberIn(playerState),
    }
  } catch {
    return null
  }
}

const numberIn = (value: unknown) => (typeof value === 'number' ? value : undefined)
