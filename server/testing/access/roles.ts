/** The people of the table of access, and the short ways to write what they are answered. */

/** In the order of the table's columns. */
export const ROLES = [
  'guest',
  'user',
  'another',
  'owner',
  'buyer',
  'courseBuyer',
  'suspended',
  'erased',
  'unconfirmed',
  'stale',
  'administrator',
  'staleAdministrator',
] as const
export type Role = (typeof ROLES)[number]

/** Who each of them is, for the printed table. */
export const PERSONS: Readonly<Record<Role, string>> = {
  guest: 'nobody who is signed in',
  user: 'has nothing to do with the items; wrote to the owner, and uploaded a file of their own',
  another: 'a second such person, who did neither',
  owner: 'made the lesson, the course and what else is acted upon; hides the e-mail address',
  buyer: 'bought the lesson alone and commented on it',
  courseBuyer: 'bought the course that the lesson is in',
  suspended: 'bought the lesson and was suspended afterwards',
  erased: 'erased the account, and still has its tokens',
  unconfirmed: 'never confirmed the e-mail address; all others did',
  stale: 'has a second factor, and confirmed longer than 15 minutes ago that it is them',
  administrator: 'administers',
  staleAdministrator: 'administers, has a second factor, and confirmed too long ago',
}

/**
 * What must not be in an answer to who may not read it: the paid article, a comment on it, a message between two
 * people, a hidden e-mail address, an uploaded file, why an answer of the self-check is right.
 */
export const SECRETS = ['article', 'comment', 'message', 'email', 'file', 'explanation'] as const
export type Secret = (typeof SECRETS)[number]

/** A status, and what secrets are in the answer: `200`, `'200 article comment'`. */
export type Expected = number | `${number} ${string}`

export type Answers = Readonly<Record<Role, Expected>>
type Exceptions = Readonly<Partial<Record<Role, Expected>>>

/** What is sent; `{name}` in it is replaced by what the scene has under that name. */
export type Sent = Readonly<Record<string, unknown>>

export interface Row {
  readonly answers: Answers
  readonly sent: Sent
  /** The access token, or the refresh cookie, which browsers send by themselves; of a new session where it ends one. */
  readonly by: 'bearer' | 'cookie' | 'newCookie'
}

const everybody = (answer: Expected): Answers => ({
  guest: answer,
  user: answer,
  another: answer,
  owner: answer,
  buyer: answer,
  courseBuyer: answer,
  suspended: answer,
  erased: answer,
  unconfirmed: answer,
  stale: answer,
  administrator: answer,
  staleAdministrator: answer,
})

const ofKind =
  (usual: (answer: Expected) => Answers) =>
  (answer: Expected, exceptions: Exceptions = {}, sent: Sent = {}): Row => ({
    answers: { ...usual(answer), ...exceptions },
    sent,
    by: 'bearer',
  })

const STRANGERS = { guest: 401, erased: 401 } as const
const HELD = { stale: 403, staleAdministrator: 403 } as const

/** Everybody is let in, who is not signed in too. */
export const open = ofKind(everybody)
/** Who is signed in, suspended or not: what reads, and what keeps an account safe. */
export const signedIn = ofKind((answer) => ({ ...everybody(answer), ...STRANGERS }))
/** Who is signed in and not suspended. */
export const writes = ofKind((answer) => ({ ...everybody(answer), ...STRANGERS, suspended: 403 }))
/** Who is signed in, and confirmed lately that it is them: what would take an account over. */
export const confirmed = ofKind((answer) => ({ ...everybody(answer), ...STRANGERS, ...HELD }))
/** Administrators, who read. */
export const desk = ofKind((answer) => ({
  ...everybody(403),
  ...STRANGERS,
  administrator: answer,
  staleAdministrator: answer,
}))
/** Administrators who confirmed lately that it is them: what changes something. */
export const deskWrites = ofKind((answer) => ({
  ...everybody(403),
  ...STRANGERS,
  administrator: answer,
}))
/** The same row for what a browser asks for by itself. */
export const byCookie = (row: Row): Row => ({ ...row, by: 'cookie' })
/** And for what ends or renews the session of the cookie. */
export const byNewCookie = (row: Row): Row => ({ ...row, by: 'newCookie' })
