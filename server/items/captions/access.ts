import { isThere, rightsOf, type Entitlement } from '#server/items/shared/access.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { forbidden, notFound } from '#server/kernel/errors.ts'

type Right = 'see' | 'edit' | 'rate'

/**
 * Captions are read with the right to see the lesson, changed with the right to edit it, and offered by people who
 * unlocked it, who are those that may rate it.
 * @throws Refusal 404 when there is no such lesson for the viewer, 403 without the right
 */
export function requireCaptionRight<Row extends Entitlement>(
  right: Right,
  viewer: Viewer,
  lesson: Row | null,
): Row {
  if (lesson === null || !isThere(viewer, lesson)) throw notFound('lessonNotFound')
  if (!rightsOf(viewer, lesson)[right]) throw forbidden()
  return lesson
}
