/** What is written beside a video leads to its seconds: a time in the text starts the player there. */
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

/** A wish to see the video from a second on; the same second wished again is another jump. */
export interface Jump {
  readonly at: number
}

/** Where the player is, which tells it many times a second: nothing is drawn anew by that. */
interface PlaceNow {
  readonly tell: (at: number) => void
  /** Null before it has played. */
  readonly read: () => number | null
}

function createPlaceNow(): PlaceNow {
  let now: number | null = null
  return {
    tell: (at) => {
      now = at
    },
    read: () => now,
  }
}

const LastJump = createContext<Jump | null>(null)
const JumpTo = createContext<((at: number) => void) | null>(null)
const Place = createContext<PlaceNow | null>(null)

/** Around a player and all texts that speak of its video. */
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

/** For the player: where somebody wants to be; null before anybody does. */
export const useLastJump = () => useContext(LastJump)

/** For texts: shows the video from a second on; null where there is no player. */
export const useJumpTo = () => useContext(JumpTo)

/** For the player: where it is. */
export const useTellPlace = () => useContext(Place)?.tell

/** For what is written beside it: where the player is, as a function to ask at need; null before it has played. */
export const usePlaceNow = () => useContext(Place)?.read

/** The second that the page's address names (`#t=135`); null in the first paint, which the server made without it. */
export function useLinkedSecond(): number | null {
  const { hash } = useLocation()
  const second = /^#t=(\d{1,6})$/.exec(hash)?.[1]
  return useHydrated() && second !== undefined ? Number(second) : null
}

/**
 * Who pressed a link of ours wants to see it. An address that came from elsewhere must not start a player of another
 * site by itself: there the second is where the player begins once it is pressed.
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
