/** The roles of the access table, and short ways to write expected answers. */

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

/** Explains each role in the printed table. */
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
 * Contents that must not reach unauthorised roles: the paid article, a comment on it, a private message, a hidden
 * e-mail address, an uploaded file, the explanation in a self-check.
 */
export const SECRETS = ['article', 'comment', 'message', 'email', 'file', 'explanation'] as const
export type Secret = (typeof SECRETS)[number]

/** A status and the secrets in the answer: `200`, `'200 article comment'`. */
export type Expected = number | `${number} ${string}`

export type Answers = Readonly<Record<Role, Expected>>
type Exceptions = Readonly<Partial<Record<Role, Expected>>>

/** The request's fields. `{name}` is replaced with the scene's value of that name. */
export type Sent = Readonly<Record<string, unknown>>

export interface Row {
  readonly answers: Answers
  readonly sent: Sent
  /**
   * Credentials: the access token, or the refresh cookie that browsers send. `newCookie` uses a new session,
   * because the call ends it.
   */
  readonly by: 'bearer' | 'cookie' | 'newCookie'
}

const everybody = (answer: Expected) =>
  Object.fromEntries(ROLES.map((role) => [role, answer])) as Answers

/** The roles that may read the paid lesson, all with this answer. */
export const readers = (answer: Expected): Exceptions => ({
  owner: answer,
  buyer: answer,
  courseBuyer: answer,
  suspended: answer,
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

/** Allows everybody, including guests. */
export const open = ofKind(everybody)
/** Allows signed-in people, including suspended ones: calls that read or that keep an account safe. */
export const signedIn = ofKind((answer) => ({ ...everybody(answer), ...STRANGERS }))
/** Allows signed-in people who are not suspended. */
export const writes = ofKind((answer) => ({ ...everybody(answer), ...STRANGERS, suspended: 403 }))
/** Allows signed-in people who recently confirmed their identity: calls that could take over an account. */
export const confirmed = ofKind((answer) => ({ ...everybody(answer), ...STRANGERS, ...HELD }))
/** Allows administrators to read. */
export const desk = ofKind((answer) => ({
  ...everybody(403),
  ...STRANGERS,
  administrator: answer,
  staleAdministrator: answer,
}))
/** Allows administrators who recently confirmed their identity: calls that change something. */
export const deskWrites = ofKind((answer) => ({
  ...everybody(403),
  ...STRANGERS,
  administrator: answer,
}))
/** The same row with the cookie as credential. */
export const byCookie = (row: Row): Row => ({ ...row, by: 'cookie' })
/** The same row for calls that end or renew the cookie's session. */
export const byNewCookie = (row: Row): Row => ({ ...row, by: 'newCookie' })
