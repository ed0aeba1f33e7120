import { isThere, rightsOf, type Entitlement } from '#server/items/shared/access.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { forbidden, notFound } from '#server/kernel/errors.ts'

/**
 * People who may read a lesson may take its self-check. The call itself refuses suspended people.
 * @throws Refusal 404 when there is no such lesson for them, 403 when it is locked
 */
export function requireReader<Row extends Entitlement>(viewer: Viewer, row: Row | null): Row {
  if (row === null || !isThere(viewer, row)) throw notFound('lessonNotFound')
  if (!rightsOf(viewer, row).see) throw forbidden()
  return row
}

/**
 * The owner, even if suspended, and administrators may see the correct answers.
 * @throws Refusal 404 when there is no such lesson for them, 403 for everybody else
 */
export function requireAuthor<Row extends Entitlement>(viewer: Viewer, row: Row | null): Row {
  if (row === null || !isThere(viewer, row)) throw notFound('lessonNotFound')
  if (viewer.id !== row.ownerId && viewer.role !== 'administrator') throw forbidden()
  return row
}
