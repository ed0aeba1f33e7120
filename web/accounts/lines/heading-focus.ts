import { type RefObject, useEffect, useRef, useState } from 'react'

interface HeadingFocus {
  /** For the page's heading, which needs `tabIndex={-1}`. */
  readonly heading: RefObject<HTMLHeadingElement | null>
  /** Puts the focus there with the next picture of the page, when the dialog that asked no longer holds it. */
  readonly focusHeading: () => void
}

/** Where the focus goes when the line is gone whose button had it: else the next press of Tab would begin at the top. */
export function useHeadingFocus(): HeadingFocus {
  const heading = useRef<HTMLHeadingElement>(null)
  const [times, setTimes] = useState(0)
  useEffect(() => {
    if (times > 0) heading.current?.focus()
  }, [times])
  return { heading, focusHeading: () => setTimes((before) => before + 1) }
}
