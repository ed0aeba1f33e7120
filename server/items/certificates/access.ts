/** Permissions for a certificate. Anybody who has its address may read it. */
import type { Certificate } from '#contract/certificates.ts'
import type { Viewer } from '#server/kernel/call.ts'

export interface Held {
  /** Null if their account was erased. */
  readonly ownerId: string | null
  readonly state: Certificate['state']
}

/**
 * Computes everything in `can`. Nobody may change a certificate that has ended. A suspended person may only hide
 * their own name.
 */
export function rightsOfCertificate(viewer: Viewer | null, held: Held): Certificate['can'] {
  const isValid = held.state === 'valid'
  const owns = viewer !== null && viewer.id === held.ownerId && isValid
  const acts = viewer !== null && !viewer.suspended
  return {
    withdraw: owns,
    list: owns && acts,
    revoke: isValid && acts && !owns && viewer.role === 'administrator',
  }
}
