import { Fragment } from 'react'
import type { Marked, Why } from '#contract/search.ts'

export interface Hit {
  readonly why: Why
  readonly marked: Marked
}

/** Characters to keep before the first hit. */
const BEFORE = 12

/** Cuts a long text shortly before its first hit, so that the hit is visible in one line. */
export function aroundHit(marked: Marked): Marked {
  const first = marked.places[0]?.[0] ?? 0
  if (first <= BEFORE) return marked
  const cut = marked.text.indexOf(' ', first - BEFORE) + 1
  if (cut === 0 || cut > first) return marked
  const places = marked.places.map((place) => place.map((at) => at - cut + 1))
  return { text: `…${marked.text.slice(cut)}`, places }
}

export function MarkedText({ marked: { text, places } }: { readonly marked: Marked }) {
  return (
    <>
      {places.map(([from = 0, to], place) => (
        <Fragment key={from}>
          {text.slice(places[place - 1]?.[1] ?? 0, from)}
          <mark>{text.slice(from, to)}</mark>
        </Fragment>
      ))}
      {text.slice(places.at(-1)?.[1] ?? 0)}
    </>
  )
}
