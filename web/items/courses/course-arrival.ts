/** Cards always lead to a course's first lesson, so only a link within the course is a choice of the reader. */

/** The location state of links between lessons of a course. */
export const INSIDE = { insideCourse: true } as const

export const cameFromInside = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'insideCourse' in state
