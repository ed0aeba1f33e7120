import type { ReactNode } from 'react'
import styles from './Chart.module.css'

export interface Series {
  readonly name: string
  readonly values: readonly number[]
}

interface ChartProps {
  /** The chart's accessible name, which says where the same numbers are. */
  readonly label: string
  /** One solid line, or a solid and a dashed one. */
  readonly series: readonly [Series, Series?]
  /** Words for the value at the top of the chart. */
  readonly top: (value: number) => string
  /** What the left and the right end stand for. */
  readonly from: string
  readonly to: string
}

const WIDTH = 600
const HEIGHT = 240
/** Room for half of a line's width above and below. */
const EDGE = 3

/** Up to two lines that differ without colour. Put a table with the same numbers beside it (`Beside`). */
export function Chart({ label, series, top, from, to }: ChartProps) {
  const lines = series.filter((one) => one !== undefined)
  const all = lines.flatMap(({ values }) => values)
  const [low, high] = [Math.min(0, ...all), Math.max(1, ...all)]
  const heightOf = (value: number) => EDGE + ((high - value) / (high - low)) * (HEIGHT - 2 * EDGE)
  const pointsOf = (values: readonly number[]) =>
    values
      .map((value, place) => {
        const x = values.length === 1 ? WIDTH / 2 : (place / (values.length - 1)) * WIDTH
        return `${x.toFixed(1)},${heightOf(value).toFixed(1)}`
      })
      .join(' ')
  return (
    <figure className={styles.chart}>
      <figcaption>
        {lines.map(({ name }, place) => (
          <span key={name}>
            <svg viewBox="0 0 36 8" className={styles.sample} aria-hidden="true">
              <polyline points="0,4 36,4" className={place > 0 ? styles.dashed : undefined} />
            </svg>
            {name}
          </span>
        ))}
        <span className="quiet num">{top(high)}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        <line x1="0" x2={WIDTH} y1={heightOf(0)} y2={heightOf(0)} className={styles.zero} />
        {lines.map(({ name, values }, place) => (
          <polyline
            key={name}
            points={pointsOf(values)}
            className={place > 0 ? styles.dashed : undefined}
          />
        ))}
      </svg>
      <p className="quiet small num" aria-hidden="true">
        <span>{from}</span>
        <span>{to}</span>
      </p>
    </figure>
  )
}

/** Charts, with their table beside them on wide screens and below them on others. */
export function Beside({ children }: { readonly children: ReactNode }) {
  return <div className={styles.beside}>{children}</div>
}
