/** What a link knows of the page it leads to. */
import { isRecord } from '#web/core/shape.ts'

/** The state of links to what the reader has: while it loads, the shape of an open page is shown. */
export const OPENS = { opens: true } as const

/** Whether such a link leads there. `state`: the location's. */
export const leadsInside = (state: unknown): boolean => isRecord(state) && 'opens' in state
