/** What YouTube's player tells a page that listens: where it is, how long it is, when it ends. No script of theirs is needed. */
import { type RefObject, useEffect, useEffectEvent } from 'react'
import { isRecord } from '#web/core/shape.ts'

export const PLAYER_ORIGIN = 'https://www.youtube-nocookie.com'

/** Seconds. */
export interface PlayerPlace {
  readonly at: number
  readonly of: number
}

export interface PlayerListener {
  /** Every few seconds while it plays. */
  readonly onPlace: (place: PlayerPlace) => void
  readonly onEnd: () => void
}

const ENDED = 0
/** Seconds between two places that are reported. */
const STEP = 5

/** Listens to the player in `frame` once it is there. */
export function usePlayerPlace(
  frame: RefObject<HTMLIFrameElement | null>,
  plays: boolean,
  listener: PlayerListener | undefined,
): void {
  const tellPlace = useEffectEvent((place: PlayerPlace) => listener?.onPlace(place))
  const tellEnd = useEffectEvent(() => listener?.onEnd())
  const wanted = plays && listener !== undefined
  useEffect(() => {
    const player = frame.current
    if (!wanted || player === null) return undefined
    // Its length is said once, its place again and again.
    let of = 0
    let reported = -STEP
    const hear = (event: MessageEvent<unknown>) => {
      if (event.origin !== PLAYER_ORIGIN || event.source !== player.contentWindow) return
      const info = readInfo(event.data)
      if (info === null) return
      of = info.duration ?? of
      const at = info.currentTime
      if (at !== undefined && of > 0 && Math.abs(at - reported) >= STEP) {
        reported = at
        tellPlace({ at, of })
      }
      if (info.playerState === ENDED) tellEnd()
    }
    const askToTell = () => {
      const question = JSON.stringify({ event: 'listening', id: 1, channel: 'widget' })
      player.contentWindow?.postMessage(question, PLAYER_ORIGIN)
    }
    window.addEventListener('message', hear)
    player.addEventListener('load', askToTell)
    return () => {
      window.removeEventListener('message', hear)
      player.removeEventListener('load', askToTell)
    }
  }, [frame, wanted])
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
