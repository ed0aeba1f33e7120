import { type ReactNode, useState } from 'react'
import { useHydrated } from '#web/core/hydrated.ts'
import { useText } from '#web/core/i18n.tsx'
import { Alert } from '#web/ui/Alert.tsx'

export interface FormAlertProps {
  readonly alert: {
    readonly text: string
    /** The focus is at a field. */
    readonly hasField?: boolean
  } | null
  /** "Error" unless given. */
  readonly heading?: string | undefined
  /** What one may do about it, after the words. */
  readonly children?: ReactNode
}

/**
 * The server's refusal above a form. A new refusal is a new alert: it takes the focus and is announced again. One that
 * came with the page takes it from nobody who is typing already.
 */
export function FormAlert({ alert, heading, children }: FormAlertProps) {
  const { t } = useText()
  const isLive = useHydrated()
  const [first] = useState(isLive ? null : alert)
  if (alert === null) return null
  const focus = !alert.hasField && (alert === first ? 'free' : true)
  return (
    <Alert key={refusalNumber(alert)} heading={heading ?? t('error')} focus={focus}>
      {alert.text} {children}
    </Alert>
  )
}

const numbers = new WeakMap<object, number>()
let last = 0

/** The same sentence twice is two refusals. */
function refusalNumber(alert: object): number {
  const known = numbers.get(alert)
  if (known !== undefined) return known
  last += 1
  numbers.set(alert, last)
  return last
}
