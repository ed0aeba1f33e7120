import { Coin } from '#web/ui/points/Coin.tsx'

interface PointsProps {
  /** The number, ready to read. */
  readonly amount: string
  /** What readers hear after it: "KB Points". */
  readonly unit: string
  readonly dark?: boolean | undefined
}

/** A sum of points: coin, number, and the unit for those who don't see the coin. */
export function Points({ amount, unit, dark }: PointsProps) {
  return (
    <>
      <Coin dark={dark} />
      <span className="num">{amount}</span>
      <span className="sr">{` ${unit}`}</span>
    </>
  )
}
