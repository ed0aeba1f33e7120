import type { ReactNode } from 'react'
import styles from './Tiles.module.css'

/** Numbers at a glance, each a `Tile`. */
export function Tiles({ children }: { readonly children: ReactNode }) {
  return <ul className={styles.tiles}>{children}</ul>
}

interface TileProps {
  readonly name: string
  readonly value: string
  /** How it has changed: a short sign, and the words that screen readers say instead. */
  readonly change?: { readonly shown: string; readonly said: string } | undefined
  /** The course of the value, oldest first. A single value draws nothing. */
  readonly line: readonly number[]
}

export function Tile({ name, value, change, line }: TileProps) {
  return (
    <li>
      <h3>{name}</h3>
      <p>
        <b className="num">{value}</b>{' '}
        {change && (
          <span className="quiet num">
            <span aria-hidden="true">{change.shown}</span>
            <span className="sr">{change.said}</span>
          </span>
        )}
      </p>
      {line.length > 1 && <Line values={line} />}
    </li>
  )
}

const WIDTH = 120
const HEIGHT = 32
/** Room for half of the line's width. */
const EDGE = 2

/** Decorative: the numbers beside it say what matters. */
function Line({ values }: { readonly values: readonly number[] }) {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const points = values.map((value, place) => {
    const x = (place / (values.length - 1)) * WIDTH
    const part = high === low ? 0.5 : (high - value) / (high - low)
    return `${x.toFixed(1)},${(EDGE + part * (HEIGHT - 2 * EDGE)).toFixed(1)}`
  })
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <polyline points={points.join(' ')} />
    </svg>
  )
}
