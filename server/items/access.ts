/** Who may do what with an item: the one function behind every read path and every refusal. */
import type { Can } from '#contract/items.ts'
import { refuseUnconfirmed, type Viewer } from '#server/kernel/call.ts'
import { forbidden } from '#server/kernel/errors.ts'

/** What entitles a viewer to an item: whose it is, what they bought, and what is open to everybody. */
export interface Entitlement {
  readonly ownerId: string
  /** Bought itself. */
  readonly bought: boolean
  /** Part of a course that the viewer bought. */
  readonly openThroughCourse?: boolean
  /** Marked by its owner as open to everybody. */
  readonly freePreview?: boolean
  readonly liked?: boolean
  /** Its owner's account was erased: it is there for who holds it, and for administrators, to be read or deleted. */
  readonly leftToBuyers?: boolean
}

/** What the guest of a locked item may do. */
export const NO_RIGHTS: Can = {
  see: false,
  edit: false,
  delete: false,
  like: false,
  buy: false,
  comment: false,
  rate: false,
}

/** Decides everything that `can` says. A suspended person sees what they saw, and changes nothing. */
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
    buy: !rules && !holds,
    comment: rules || holds,
    // Who administers sees everything, and rates only what they unlocked like others.
    rate: viewer.id !== item.ownerId && holds,
  }
}

function rightsOfLeft(viewer: Viewer | null, { bought, openThroughCourse }: Entitlement): Can {
  if (viewer === null) return NO_RIGHTS
  const administers = viewer.role === 'administrator'
  const see = administers || bought || openThroughCourse === true
  return { ...NO_RIGHTS, see, delete: administers && !viewer.suspended }
}

/** Whether an item is there for the viewer at all: what was left to its buyers is not, for anybody else. */
export function isThere(viewer: Viewer | null, item: Entitlement): boolean {
  return item.leftToBuyers !== true || rightsOf(viewer, item).see
}

/** @throws Refusal 403 for who may not edit or delete what this owner made */
export function requireRight(right: 'edit' | 'delete', viewer: Viewer, ownerId: string): void {
  if (!rightsOf(viewer, { ownerId, bought: false })[right]) throw forbidden()
}

/**
 * The reason that the owner reads when an administrator edits or deletes the item; null when none was given, because
 * older clients can't send one. Undefined for one's own, about which nobody is notified.
 * @throws Refusal 403 for an administrator who has to confirm first that it is them
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
