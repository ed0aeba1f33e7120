import { Coin } from '#web/ui/points/Coin.tsx'

interface PointsProps {
  /** The formatted number. */
  readonly amount: string
  /** Read by screen readers after the number, such as "KB Points". */
  readonly unit: string
  readonly dark?: boolean | undefined
}

export function Points({ amount, unit, dark }: PointsProps) {
  return (
    <>
      <Coin dark={dark} />
      <span className="num">{amount}</span>
      <span className="sr">{` ${unit}`}</span>
    </>
  )
}
