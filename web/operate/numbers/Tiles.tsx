import type { EconomyDay } from '#contract/economy.ts'
import { useText } from '#web/core/i18n.tsx'
import { PERIOD, readTiles } from '#web/operate/numbers/tiles.ts'
import { Tile, Tiles as TileList } from '#web/ui/figures/Tiles.tsx'

export function Tiles({ days }: { readonly days: readonly EconomyDay[] }) {
  const { t, formatNumber, formatPercent } = useText()
  const changeOf = (change: number) => {
    const percent = formatPercent(Math.abs(change))
    return {
      shown: `${change < 0 ? '−' : '+'}${percent}`,
      said: t(change < 0 ? 'numbersDown' : 'numbersUp', { percent, days: PERIOD }),
    }
  }
  return (
    <TileList>
      {readTiles(days).map(({ name, value, change, line }) => (
        <Tile
          key={name}
          name={t(name)}
          value={value === null ? '–' : formatNumber(value)}
          change={change === null ? undefined : changeOf(change)}
          line={line}
        />
      ))}
    </TileList>
  )
}
