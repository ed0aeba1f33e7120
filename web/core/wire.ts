import type { Endpoint } from '#contract/endpoint.ts'

export interface WireRequest {
  readonly method: string
  readonly url: string
  readonly body: FormData | string | null
}

type Fields = Readonly<Record<string, unknown>>

/** Fills the path parameters and puts the remaining input into the query or the body. */
export function toWire(call: Endpoint, input: unknown): WireRequest {
  const remaining: Record<string, unknown> = { ...(input as Fields) }
  const path = call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = remaining[name]
    delete remaining[name]
    return encodeURIComponent(textOf(value))
  })
  const method = call.methods[0]
  const url = `/api${path}`
  if (method === 'GET' || method === 'DELETE')
    return { method, url: url + toQuery(remaining), body: null }
  return { method, url, body: call.form ? toForm(remaining) : JSON.stringify(remaining) }
}

function toQuery(fields: Fields): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== undefined && item !== '') query.append(name, textOf(item))
  }
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

/** Repeats the name for each item of a list, as in a query, and leaves out undefined values. */
function toForm(fields: Fields): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item instanceof Blob) form.append(name, item)
      else if (item !== undefined && item !== null) form.append(name, textOf(item))
    }
  }
  return form
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
