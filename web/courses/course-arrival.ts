/** Cards lead to a course's first lesson, whoever follows them: only a step from lesson to lesson is a choice. */

/** The state of links from one lesson of a course to another. */
export const INSIDE = { insideCourse: true } as const

/** Whether such a link led here. `state`: the location's. */
export const cameFromInside = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'insideCourse' in state
