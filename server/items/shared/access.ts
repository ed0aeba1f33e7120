/** Decides who may do what with an item. All reads and all refusals use `rightsOf`. */
import type { Can } from '#contract/items.ts'
import { refuseUnconfirmed, type Viewer } from '#server/kernel/call.ts'
import { forbidden } from '#server/kernel/errors.ts'

export interface Entitlement {
  readonly ownerId: string
  /** True when the item itself was bought. */
  readonly bought: boolean
  /** True when the viewer bought a course that contains it. */
  readonly openThroughCourse?: boolean
  /** True when its owner made it readable for everybody. */
  readonly freePreview?: boolean
  readonly liked?: boolean
  /** True if its video can't be played. */
  readonly videoGone?: boolean
  /** True after the owner's account was erased: buyers can read it, and administrators can read and delete it. */
  readonly leftToBuyers?: boolean
}

export const NO_RIGHTS: Can = {
  see: false,
  edit: false,
  delete: false,
  like: false,
  buy: false,
  comment: false,
  rate: false,
}

/** Suspended people can still read what they could read before, but change nothing. */
export function rightsOf(viewer: Viewer | null, item: Entitlement): Can {
  const open = item.freePreview === true
  if (item.leftToBuyers === true) return rightsOfLeft(viewer, item)
  if (viewer === null) return { ...NO_RIGHTS, see: open }
  const rules = viewer.id === item.ownerId || viewer.role === 'administrator'
  const holds = item.bought || item.openThroughCourse === true
  const see = rules || holds || open
  if (viewer.suspended) return { ...NO_RIGHTS, see }
  return {
    see,
    edit: rules,
    delete: rules,
    like: viewer.id !== item.ownerId && item.liked !== true,
    buy: !rules && !holds && item.videoGone !== true,
    comment: rules || holds,
    // Administrators can see everything, but rate only what they unlocked.
    rate: viewer.id !== item.ownerId && holds,
  }
}

function rightsOfLeft(viewer: Viewer | null, { bought, openThroughCourse }: Entitlement): Can {
  if (viewer === null) return NO_RIGHTS
  const administers = viewer.role === 'administrator'
  const see = administers || bought || openThroughCourse === true
  return { ...NO_RIGHTS, see, delete: administers && !viewer.suspended }
}

/** False when the item was left to its buyers and the viewer is none of them. */
export function isThere(viewer: Viewer | null, item: Entitlement): boolean {
  return item.leftToBuyers !== true || rightsOf(viewer, item).see
}

/** @throws Refusal 403 when the viewer may not edit or delete what this owner made */
export function requireRight(right: 'edit' | 'delete', viewer: Viewer, ownerId: string): void {
  if (!rightsOf(viewer, { ownerId, bought: false })[right]) throw forbidden()
}

/**
 * Returns the reason that the owner is notified of when an administrator edits or deletes the item. It is null
 * without one, because older clients can't send it, and undefined for the viewer's own item, which needs no
 * notification.
 * @throws Refusal 403 for an administrator who must confirm their identity first
 */
export function reasonForOwner(
  viewer: Viewer,
  ownerId: string,
  reason: string | undefined,
): string | null | undefined {
  if (viewer.id === ownerId) return undefined
  refuseUnconfirmed(viewer)
  return reason ?? null
}
