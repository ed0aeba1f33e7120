import { DIGEST_HOUR } from '#contract/notices.ts'
import { useText } from '#web/core/i18n.tsx'
import { useHydrated } from '#web/core/hydrated.ts'
import { Field } from '#web/ui/inputs/Field.tsx'
import { Select } from '#web/ui/inputs/Select.tsx'

interface ZoneFieldProps {
  /** Null follows the browser's zone. */
  readonly value: string | null
  /** The zone that the server uses now. */
  readonly known: string
  readonly onChange: (zone: string | null) => void
}

/** Undefined if the browser does not reveal it. */
export const browserZone = (): string | undefined =>
  Intl.DateTimeFormat().resolvedOptions().timeZone

/** Selects the time zone of the daily mail. */
export function ZoneField({ value, known, onChange }: ZoneFieldProps) {
  const { t } = useText()
  // The server's list of zones may differ, so only the browser renders it.
  const isHydrated = useHydrated()
  const zones = isHydrated ? ['UTC', ...Intl.supportedValuesOf('timeZone')] : []
  const own = (isHydrated ? browserZone() : undefined) ?? known
  return (
    <Field label={t('noticeWaysZone')} help={t('zoneHelp', { hour: DIGEST_HOUR })} name="zone">
      {(wiring) => (
        <Select
          {...wiring}
          name="zone"
          value={value ?? ''}
          onChange={({ target }) => onChange(target.value === '' ? null : target.value)}
        >
          <option value="">{t('zoneOfBrowser', { zone: spell(own) })}</option>
          {/* Time zones have only English names. */}
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
