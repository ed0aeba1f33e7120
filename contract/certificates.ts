/** The calls of certificates; what judges them stands in certificates.schemas.ts. */
import type { CertificatesSchemas } from '#contract/certificates.schemas.ts'
import { calls } from '#contract/endpoint.ts'

export const certificates = calls<CertificatesSchemas>()({
  yours: { methods: ['GET'], path: '/certificate/yours', access: 'user', scope: 'read' },
  towards: {
    methods: ['GET'],
    path: '/certificate/course/{courseId}',
    access: 'user',
    scope: 'read',
  },
  take: {
    methods: ['POST'],
    path: '/certificate/course/{courseId}',
    access: 'user',
    scope: 'write',
  },
  // Described, it would be one path with two names of its parameter.
  takeFormerly: {
    methods: ['POST'],
    path: '/certificate/{courseId}',
    access: 'user',
    scope: 'write',
    former: true,
  },
  show: { methods: ['GET'], path: '/certificate/{code}', access: 'anybody', scope: 'read' },
  list: { methods: ['PUT'], path: '/certificate/{code}', access: 'user', scope: 'write' },
  // A suspended person may take their name out of the public; of others they revoke nothing.
  remove: {
    methods: ['DELETE'],
    path: '/certificate/{code}',
    access: 'user',
    scope: 'write',
    openToSuspended: true,
  },
})

/** Where a certificate is had as a credential that other programs verify. */
export const credentialPath = (code: string): string => `/credentials/${code}.jwt`
/** Where a list of those that hold no longer is had, as a credential too. */
export const statusListPath = (list: number): string => `/credentials/status-${list}.jwt`
/** Where the keys stand by which credentials are verified, as did:web has it. */
export const KEYS_PATH = '/.well-known/did.json'
