/** Who may do what with a certificate. Read it may everybody who has its address. */
import type { Certificate } from '#contract/certificates.ts'
import type { Viewer } from '#server/kernel/call.ts'

/** What decides. */
export interface Held {
  /** Null: their account was erased. */
  readonly ownerId: string | null
  readonly state: Certificate['state']
}

/**
 * Decides everything that `can` says; of what has ended nobody may do anything. A suspended person may still take their
 * own name out of the public, and nothing else.
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
