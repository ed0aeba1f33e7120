/** Certificates of completed courses. Anybody who has the address of one can read it. */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { Id, Instant, lengthIn, Page } from '#contract/fields.ts'
import { AdministratorsReason } from '#contract/lesson-forms.ts'
import { CERTIFICATE_NAME } from '#contract/limits.ts'
import { fits, trimText } from '#contract/measure.ts'
import { message } from '#contract/message.ts'

/** Path of a certificate as a verifiable credential. */
export const credentialPath = (code: string): string => `/credentials/${code}.jwt`
/** Path of a status list, a credential that lists revoked ones. */
export const statusListPath = (list: number): string => `/credentials/status-${list}.jwt`
/** Path of the keys that verify the credentials, as did:web defines it. */
export const KEYS_PATH = '/.well-known/did.json'

/** 128 bits in letters and digits that are hard to confuse. Accepts upper case for codes typed from paper. */
const CertificateCode = z
  .string({ error: 'certificateNotFound' })
  .check(z.toLowerCase(), z.regex(/^[0-9a-hjkmnp-tv-z]{26}$/, { error: 'certificateNotFound' }))

/** Characters refused in names: control, format, private-use and unassigned ones. */
const NOT_PRINTED = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u
/** Zero-width joiner and non-joiner, which some scripts need between letters. */
const JOINERS = /(?<=[\p{L}\p{M}])[\u200c\u200d](?=\p{L})/gu
/** More combining marks on one letter than any script uses. */
const HEAPED = /\p{M}{5,}/u

export const normalizeName = (name: string): string => trimText(name).replaceAll(/\p{Zs}+/gu, ' ')

/** Returns what is wrong with a normalised name, or null. */
export function nameProblem(
  name: string,
): 'certificateNameLength' | 'certificateNameSigns' | 'certificateNameLetters' | null {
  if (NOT_PRINTED.test(name.replaceAll(JOINERS, ''))) return 'certificateNameSigns'
  if (!fits(name, CERTIFICATE_NAME)) return 'certificateNameLength'
  return /\p{L}/u.test(name) && !HEAPED.test(name) ? null : 'certificateNameLetters'
}

const length = message('certificateNameLength', { ...CERTIFICATE_NAME })
const lacks = (problem: ReturnType<typeof nameProblem>) => (name: string) =>
  nameProblem(name) !== problem

export const CertificateName = z
  .string({ error: length })
  .check(
    z.overwrite(normalizeName),
    z.refine(lacks('certificateNameSigns'), { error: 'certificateNameSigns', abort: true }),
    lengthIn(CERTIFICATE_NAME, length, { abort: true }),
    z.refine(lacks('certificateNameLetters'), { error: 'certificateNameLetters' }),
  )

const ByCode = z.object({ code: CertificateCode })

const Can = z.object({ withdraw: z.boolean(), list: z.boolean(), revoke: z.boolean() })

const Shown = {
  code: z.string(),
  courseTitle: z.string(),
  date: Instant,
  can: Can,
}

export const ValidCertificate = z.object({
  ...Shown,
  state: z.literal('valid'),
  name: z.string(),
  courseId: z.number(),
  /** False if the course was deleted. */
  courseThere: z.boolean(),
  courseDescription: z.string(),
  /** In order, as they were when the certificate was issued. */
  lessons: z.array(z.string()),
  author: z.string(),
  /** The author's name now, for a link; null for a former member. */
  authorNow: z.nullable(z.string()),
  /** True if its owner lets search engines index it. */
  listed: z.boolean(),
})
export type ValidCertificate = z.infer<typeof ValidCertificate>

/** A certificate that is no longer valid shows only what identifies it. */
export const EndedCertificate = z.object({
  ...Shown,
  state: z.enum(['withdrawn', 'revoked']),
  ended: Instant,
})
export type EndedCertificate = z.infer<typeof EndedCertificate>

export const Certificate = z.union([ValidCertificate, EndedCertificate])
export type Certificate = z.infer<typeof Certificate>

export const OwnCertificate = z.object({
  code: z.string(),
  state: z.enum(['valid', 'withdrawn', 'revoked']),
  /** Empty once withdrawn. */
  name: z.string(),
  courseId: z.number(),
  courseTitle: z.string(),
  date: Instant,
  listed: z.boolean(),
})
export type OwnCertificate = z.infer<typeof OwnCertificate>

/** The caller's progress towards the certificate of a course. */
export const TowardsCertificate = z.object({
  done: z.number(),
  total: z.number(),
  /** Lessons that are not finished, or whose self-check was not passed. */
  missing: z.array(
    z.object({ id: z.number(), title: z.string(), what: z.enum(['lesson', 'check']) }),
  ),
  /** The caller's certificate of this course, or null. */
  taken: z.nullable(z.object({ code: z.string(), state: z.enum(['valid', 'revoked']) })),
})
export type TowardsCertificate = z.infer<typeof TowardsCertificate>

export const certificates = endpoints({
  yours: {
    methods: ['GET'],
    path: '/certificate/yours',
    access: 'user',
    scope: 'read',
    input: z.object({ page: z.optional(Page) }),
    answer: z.object({ certificates: z.array(OwnCertificate), total: z.number() }),
    summary: "A page of the caller's own certificates, the newest first",
  },
  towards: {
    methods: ['GET'],
    path: '/certificate/course/{courseId}',
    access: 'user',
    scope: 'read',
    input: z.object({ courseId: Id }),
    answer: TowardsCertificate,
    summary: 'What of an unlocked course is still missing for its certificate',
  },
  take: {
    methods: ['POST'],
    path: '/certificate/course/{courseId}',
    access: 'user',
    scope: 'write',
    input: z.object({ courseId: Id, name: CertificateName }),
    answer: z.object({ code: z.string() }),
    summary:
      'Take the certificate of a finished course in the name given once; asked again, the same one. 409 names by lesson what is missing',
  },
  // Not described, because the description would contain one path with two names for its parameter.
  takeFormerly: {
    methods: ['POST'],
    path: '/certificate/{courseId}',
    access: 'user',
    scope: 'write',
    former: true,
    input: z.object({ courseId: Id, name: CertificateName }),
    answer: z.object({ code: z.string() }),
    summary:
      'Take the certificate of a finished course in the name given once; asked again, the same one. 409 names by lesson what is missing',
  },
  show: {
    methods: ['GET'],
    path: '/certificate/{code}',
    access: 'anybody',
    scope: 'read',
    input: ByCode,
    answer: Certificate,
    summary: 'A certificate, or that it was withdrawn or revoked',
  },
  list: {
    methods: ['PUT'],
    path: '/certificate/{code}',
    access: 'user',
    scope: 'write',
    input: z.object({ code: CertificateCode, listed: z.boolean({ error: 'badRequest' }) }),
    answer: null,
    summary: 'Let search engines find a certificate of one’s own, or no longer',
  },
  // A suspended person may hide the name on their own certificate, but can't revoke other people's certificates.
  remove: {
    methods: ['DELETE'],
    path: '/certificate/{code}',
    access: 'user',
    scope: 'write',
    openToSuspended: true,
    input: z.object({ code: CertificateCode, reason: AdministratorsReason }),
    answer: null,
    summary:
      'Withdraw a certificate of one’s own; administrators revoke those of others, with a reason',
  },
})
