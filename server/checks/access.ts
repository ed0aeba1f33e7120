/** Who may do what with a self-check. */
import { isThere, rightsOf, type Entitlement } from '#server/items/access.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { forbidden, notFound } from '#server/kernel/errors.ts'

/**
 * Who may read a lesson may read what it asks, and take it; that who is suspended takes nothing, the call itself says.
 * @throws Refusal 404 where there is no such lesson for them, 403 where it is locked
 */
export function requireReader<Row extends Entitlement>(viewer: Viewer, row: Row | null): Row {
  if (row === null || !isThere(viewer, row)) throw notFound('lessonNotFound')
  if (!rightsOf(viewer, row).see) throw forbidden()
  return row
}

/**
 * What is right is open to the owner, suspended or not, and to administrators.
 * @throws Refusal 404 where there is no such lesson for them, 403 for everybody else
 */
export function requireAuthor<Row extends Entitlement>(viewer: Viewer, row: Row | null): Row {
  if (row === null || !isThere(viewer, row)) throw notFound('lessonNotFound')
  if (viewer.id !== row.ownerId && viewer.role !== 'administrator') throw forbidden()
  return row
}
