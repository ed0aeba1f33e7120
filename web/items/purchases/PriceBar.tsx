import { type ReactNode, type RefObject, useEffect, useState } from 'react'
import styles from '#web/ui/styles/Item.module.css'

/** Height of the bar in px, which hides what is behind it. */
const BAR = 72
const FAR = 100_000

interface PriceBarProps {
  /** The action's element on the page. */
  readonly place: RefObject<HTMLElement | null>
  readonly label: string
  readonly price: ReactNode
  readonly step: ReactNode
}

/** On phones, shows the price at the foot of the screen while the action is further down. */
export function PriceBar({ place, label, price, step }: PriceBarProps) {
  const isBelow = useIsBelow(place)
  if (!isBelow) return null
  return (
    <div data-price-bar className={styles.priceBar} role="group" aria-label={label}>
      <span className={styles.sum}>{price}</span>
      {step}
    </div>
  )
}

function useIsBelow(place: RefObject<HTMLElement | null>): boolean {
  const [isBelow, setIsBelow] = useState(false)
  useEffect(() => {
    if (place.current === null) return undefined
    const watch = new IntersectionObserver(
      (entries) => setIsBelow(entries.at(-1)?.isIntersecting === false),
      // Everything above the viewport counts as visible: users who have passed the action are reading.
      { rootMargin: `${FAR}px 0px -${BAR}px` },
    )
    watch.observe(place.current)
    return () => watch.disconnect()
  }, [place])
  return isBelow
}
