/** Connects texts with the video on the same page: a time in a text starts the player there. */
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useState,
} from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { useHydrated } from '#web/core/hydrated.ts'

/** A request to jump to a second. Each request is a new object, so the same second again is another jump. */
export interface Jump {
  readonly at: number
}

/** The player's position. It is not React state, because the player reports it many times a second. */
interface PlaceNow {
  readonly tell: (at: number) => void
  /** Null before the video has played. */
  readonly read: () => number | null
  /** Returns a function that ends the subscription. */
  readonly subscribe: (listener: (at: number) => void) => () => void
}

function createPlaceNow(): PlaceNow {
  let now: number | null = null
  const listeners = new Set<(at: number) => void>()
  return {
    tell: (at) => {
      now = at
      for (const listener of listeners) listener(at)
    },
    read: () => now,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const LastJump = createContext<Jump | null>(null)
const JumpTo = createContext<((at: number) => void) | null>(null)
const Place = createContext<PlaceNow | null>(null)

/** Wraps a player and all texts about its video. */
export function VideoTimes({ children }: { readonly children: ReactNode }) {
  const [jump, setJump] = useState<Jump | null>(null)
  const [jumpTo] = useState(() => (at: number) => setJump({ at }))
  const [place] = useState(createPlaceNow)
  useLinkedJump(jumpTo)
  return (
    <JumpTo value={jumpTo}>
      <Place value={place}>
        <LastJump value={jump}>{children}</LastJump>
      </Place>
    </JumpTo>
  )
}

/** For the player. Null before the first jump. */
export const useLastJump = () => useContext(LastJump)

/** For texts: jumps to a second. Null if there is no player. */
export const useJumpTo = () => useContext(JumpTo)

/** For the player: reports its position. */
export const useTellPlace = () => useContext(Place)?.tell

/** For texts: reads the player's position. Returns null before the video has played. */
export const usePlaceNow = () => useContext(Place)?.read

/** For texts: calls the listener whenever the player reports its position, and at first if it has done so before. */
export function useFollowPlace(listener: (at: number) => void): void {
  const place = useContext(Place)
  const tell = useEffectEvent(listener)
  useEffect(() => {
    const now = place?.read() ?? null
    if (now !== null) tell(now)
    return place?.subscribe((at) => tell(at))
  }, [place])
}

/** The second in the page's URL (`#t=135`). Null in the first render, because the server does not see the hash. */
export function useLinkedSecond(): number | null {
  const { hash } = useLocation()
  const second = /^#t=(\d{1,6})$/.exec(hash)?.[1]
  return useHydrated() && second !== undefined ? Number(second) : null
}

/**
 * A link on this site starts the video. A URL from elsewhere must not start a third-party player, so it only sets where
 * the player begins once the user starts it.
 */
function useLinkedJump(jumpTo: (at: number) => void): void {
  const second = useLinkedSecond()
  const { key } = useLocation()
  const isPressed = useNavigationType() === 'PUSH'
  const follow = useEffectEvent(() => {
    if (isPressed && second !== null) jumpTo(second)
  })
  useEffect(() => follow(), [key])
}
