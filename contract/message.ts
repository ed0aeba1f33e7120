/**
 * Packs a catalogue key and its values into one string, such as `titleValMs` or `titleValMs?min=3&max=20`, because
 * schemas and libraries only pass strings.
 */
import type { MessageKey } from '#contract/messages/messages.ts'

export type MessageValues = Readonly<Record<string, string | number>>

export function message(key: MessageKey, values?: MessageValues): string {
  if (values === undefined) return key
  const pairs = Object.entries(values).map(([name, value]) => {
    const packed = typeof value === 'number' ? `${value}` : `'${encodeURIComponent(value)}`
    return `${name}=${packed}`
  })
  return `${key}?${pairs.join('&')}`
}

export function readMessage(packed: string): { key: string; values: MessageValues } {
  const cut = packed.indexOf('?')
  if (cut === -1) return { key: packed, values: {} }
  const values: Record<string, string | number> = {}
  for (const pair of packed.slice(cut + 1).split('&')) {
    const equals = pair.indexOf('=')
    const value = pair.slice(equals + 1)
    values[pair.slice(0, equals)] = value.startsWith("'")
      ? decodeURIComponent(value.slice(1))
      : Number(value)
  }
  return { key: packed.slice(0, cut), values }
}
