import { useText } from '#web/core/i18n.tsx'
import { useHydrated } from '#web/core/hydrated.ts'
import { Field } from '#web/ui/inputs/Field.tsx'
import { Select } from '#web/ui/inputs/Select.tsx'

interface ZoneFieldProps {
  /** Null: that of the browser. */
  readonly value: string | null
  /** What the server knows now. */
  readonly known: string
  readonly onChange: (zone: string | null) => void
}

/** The time zone of this browser; undefined where it doesn't tell. */
export const browserZone = (): string | undefined =>
  Intl.DateTimeFormat().resolvedOptions().timeZone

/** The time zone of the daily mail, out of all that the browser knows. */
export function ZoneField({ value, known, onChange }: ZoneFieldProps) {
  const { t } = useText()
  // The server's list may be another one.
  const isHydrated = useHydrated()
  const zones = isHydrated ? ['UTC', ...Intl.supportedValuesOf('timeZone')] : []
  const own = (isHydrated ? browserZone() : undefined) ?? known
  return (
    <Field label={t('noticeWaysZone')} help={t('zoneHelp')} name="zone">
      {(wiring) => (
        <Select
          {...wiring}
          name="zone"
          value={value ?? ''}
          onChange={({ target }) => onChange(target.value === '' ? null : target.value)}
        >
          <option value="">{t('zoneOfBrowser', { zone: spell(own) })}</option>
          {/* The database of time zones has English names only. */}
          {[...new Set(value === null ? zones : [...zones, value])].toSorted().map((zone) => (
            <option key={zone} value={zone} lang="en">
              {spell(zone)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}

const spell = (zone: string): string => zone.replaceAll('_', ' ')
