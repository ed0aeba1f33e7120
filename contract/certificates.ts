/** Certificates of finished courses: taken by who finished one, read by anybody who has the address. */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { Id, Instant, lengthIn, Page } from '#contract/fields.ts'
import { AdministratorsReason } from '#contract/lesson-forms.ts'
import { CERTIFICATE_NAME } from '#contract/limits.ts'
import { fits, trimText } from '#contract/measure.ts'
import { message } from '#contract/message.ts'

/** Where a certificate is had as a credential that other programs verify. */
export const credentialPath = (code: string): string => `/credentials/${code}.jwt`
/** Where a list of those that hold no longer is had, as a credential too. */
export const statusListPath = (list: number): string => `/credentials/status-${list}.jwt`
/** Where the keys stand by which credentials are verified, as did:web has it. */
export const KEYS_PATH = '/.well-known/did.json'

/** 128 bits in letters and digits that nobody mixes up; typed from paper, large letters will do. */
const CertificateCode = z
  .string({ error: 'certificateNotFound' })
  .check(z.toLowerCase(), z.regex(/^[0-9a-hjkmnp-tv-z]{26}$/, { error: 'certificateNotFound' }))

/** What no name is printed with: what steers a printer or the direction, private and unassigned signs. */
const NOT_PRINTED = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u
/** Two signs that can't be seen and that some scripts join letters by, where they stand between letters. */
const JOINERS = /(?<=[\p{L}\p{M}])[\u200c\u200d](?=\p{L})/gu
/** More marks on one letter than any script has. */
const HEAPED = /\p{M}{5,}/u

/** The form in which a name is measured and printed: one blank between words. */
export const normalizeName = (name: string): string => trimText(name).replaceAll(/\p{Zs}+/gu, ' ')

/** What is wrong with a normalised name; null: nothing. */
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

/** A name as it is printed: one line, with a letter in it. */
export const CertificateName = z
  .string({ error: length })
  .check(
    z.overwrite(normalizeName),
    z.refine(lacks('certificateNameSigns'), { error: 'certificateNameSigns', abort: true }),
    lengthIn(CERTIFICATE_NAME, length, { abort: true }),
    z.refine(lacks('certificateNameLetters'), { error: 'certificateNameLetters' }),
  )

const ByCode = z.object({ code: CertificateCode })

/** What the caller may do with a certificate. */
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
  /** The course still has a page. */
  courseThere: z.boolean(),
  courseDescription: z.string(),
  /** Titles in their order, as they were. */
  lessons: z.array(z.string()),
  author: z.string(),
  /** Its owner lets search engines find it. */
  listed: z.boolean(),
})
export type ValidCertificate = z.infer<typeof ValidCertificate>

/** Of one that holds no longer only what says which it was. */
export const EndedCertificate = z.object({
  ...Shown,
  state: z.enum(['withdrawn', 'revoked']),
  /** When it ended. */
  ended: Instant,
})
export type EndedCertificate = z.infer<typeof EndedCertificate>

export const Certificate = z.union([ValidCertificate, EndedCertificate])
export type Certificate = z.infer<typeof Certificate>

/** One of one's own. */
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

/** How far one is towards the certificate of a course. */
export const TowardsCertificate = z.object({
  done: z.number(),
  total: z.number(),
  /** What is missing: a lesson that is not done, or one whose self-check was not passed. */
  missing: z.array(
    z.object({ id: z.number(), title: z.string(), what: z.enum(['lesson', 'check']) }),
  ),
  /** One's own of this course; null: not taken yet. */
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
  // Described, it would be one path with two names of its parameter.
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
  // A suspended person may take their name out of the public; of others they revoke nothing.
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
