import { type ComponentProps, useState } from 'react'
import { Rich, useText } from '#web/core/i18n.tsx'
import { Time } from '#web/core/time/Time.tsx'
import { Field } from '#web/ui/inputs/Field.tsx'
import { Select } from '#web/ui/inputs/Select.tsx'

const DAY_MS = 24 * 60 * 60 * 1000
const YEAR = 365
const CHOICES = [7, 30, 90, 180, YEAR] as const

interface DaysFieldProps {
  readonly days: number
  readonly usual: (typeof CHOICES)[number]
  readonly error: string | undefined
  readonly register: () => ComponentProps<'select'>
}

export function DaysField({ days, usual, error, register }: DaysFieldProps) {
  const { t } = useText()
  const [now] = useState(() => Date.now())
  const end = new Date(now + days * DAY_MS).toISOString()
  return (
    <Field
      label={t('tokenDays')}
      help={<Rich id="tokenDaysUntil" components={{ date: <Time date={end} form="moment" /> }} />}
      error={error}
    >
      {(wiring) => (
        <Select {...wiring} defaultValue={usual} {...register()}>
          {CHOICES.map((count) => (
            <option key={count} value={count}>
              {count === YEAR ? t('tokenDaysYear') : t('tokenDaysCount', { count })}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}
