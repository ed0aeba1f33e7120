import type { EconomyDay } from '#contract/economy.ts'
import { useText } from '#web/core/i18n.tsx'
import { readTiles, type Tile } from '#web/operate/numbers/tiles.ts'
import styles from './Numbers.module.css'

export function Tiles({ days }: { readonly days: readonly EconomyDay[] }) {
  return (
    <ul className={styles.tiles}>
      {readTiles(days).map((tile) => (
        <TileCard key={tile.name} tile={tile} />
      ))}
    </ul>
  )
}

function TileCard({ tile: { name, value, change, line } }: { readonly tile: Tile }) {
  const { t, formatNumber, formatPercent } = useText()
  const percent = change === null ? '' : formatPercent(Math.abs(change))
  return (
    <li>
      <h3>{t(name)}</h3>
      <p>
        <b className="num">{value === null ? '–' : formatNumber(value)}</b>{' '}
        {change !== null && (
          <span className="quiet num">
            <span aria-hidden="true">{`${change < 0 ? '−' : '+'}${percent}`}</span>
            <span className="sr">{t(change < 0 ? 'numbersDown' : 'numbersUp', { percent })}</span>
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
