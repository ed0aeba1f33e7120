import { isRecord } from '#web/core/shape.ts'

/**
 * The `state` of links to unlocked lessons and courses, which show the skeleton of an unlocked page while they load.
 */
export const OPENS = { opens: true } as const

export const leadsInside = (state: unknown): boolean => isRecord(state) && 'opens' in state
