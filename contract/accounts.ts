import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { ImagePath, lengthIn, Nothing, Picture, Checkbox } from '#contract/fields.ts'
import { InvitationToken } from '#contract/door.ts'
import { lengthOf, trimText } from '#contract/measure.ts'
import { EMAIL_LENGTH, PASSWORD, USERNAME, USERNAME_EDIT } from '#contract/limits.ts'
import { message } from '#contract/message.ts'

export const Role = z.enum(['user', 'administrator'])
export type Role = z.infer<typeof Role>

export const Session = z.object({
  accessToken: z.string(),
  _id: z.string(),
  username: z.string(),
  email: z.string(),
  kbPoints: z.number(),
  role: Role,
  imageUrl: ImagePath,
  /** True if the person may read but not write. */
  suspended: z.optional(z.boolean()),
  /** True if the person must set up a second factor before they can do anything else. */
  factorless: z.optional(z.boolean()),
})
export type Session = z.infer<typeof Session>

const USERNAME_SHAPE = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}._-]*[\p{L}\p{M}\p{N}])?$/u
const SCRIPTS = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u]

/** Checks the characters and that the name doesn't mix Latin, Cyrillic and Greek. Doesn't check the length. */
export function isUsername(name: string): boolean {
  return USERNAME_SHAPE.test(name) && SCRIPTS.filter((script) => script.test(name)).length <= 1
}

/**
 * Requires one `@`, a local part, a domain with a dot and a top-level domain of at least two letters. Linear time.
 */
export function isEmail(address: string): boolean {
  if (address.length > EMAIL_LENGTH || /[\s\p{C}<>(),;:\\"[\]]/u.test(address)) return false
  const [local, domain, ...more] = address.split('@')
  if (local === undefined || domain === undefined || more.length > 0) return false
  if (local === '' || local.startsWith('.') || local.endsWith('.') || local.includes('..'))
    return false
  const labels = domain.split('.')
  const ending = labels.at(-1) ?? ''
  return (
    labels.length >= 2 &&
    labels.every((label) =>
      /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u.test(label),
    ) &&
    /^(?:\p{L}{2,}|xn--[a-z0-9-]+)$/iu.test(ending)
  )
}

const usernameLength = message('usernameLengthMs', { min: USERNAME.min, max: USERNAME.max })
export const Username = z
  .string({ error: 'usernameValMsg' })
  .check(
    z.overwrite(trimText),
    z.minLength(1, { error: 'usernameValMsg', abort: true }),
    lengthIn(USERNAME, usernameLength, { abort: true }),
    z.refine(isUsername, { error: 'usernameShapeMs' }),
  )

/** The message names the first lengths that are refused: "more than 2 and less than 30". */
export const editedUsernameLength = message('usernameEditLengthMs', {
  ...USERNAME_EDIT,
  over: USERNAME_EDIT.min - 1,
  under: USERNAME_EDIT.max + 1,
})

/** The server accepts an unchanged name of any length. */
export const EditedUsername = z
  .string({ error: 'usernameValMsg' })
  .check(
    z.overwrite(trimText),
    z.minLength(1, { error: 'usernameValMsg', abort: true }),
    lengthIn({ min: USERNAME.min, max: USERNAME_EDIT.max }, editedUsernameLength, { abort: true }),
    z.refine(isUsername, { error: 'usernameShapeMs' }),
  )

export const Email = z
  .string({ error: 'provideEmail' })
  .check(z.overwrite(trimText), z.refine(isEmail, { error: 'provideEmail' }))

/** Counts UTF-8 bytes without an encoder, because browsers and Node name theirs differently. */
function bytesOf(text: string): number {
  let bytes = 0
  for (const char of text) {
    const point = char.codePointAt(0) ?? 0
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
  }
  return bytes
}

/** The limit is in bytes, but the message counts letters: a Cyrillic letter takes two bytes. */
const passwordError = message('passwordLengthMs', {
  min: PASSWORD.min,
  max: PASSWORD.max,
  half: PASSWORD.max / 2,
})
/** Not trimmed, because every character counts. */
export const NewPassword = z.string({ error: 'enterPassword' }).check(
  z.minLength(1, { error: 'enterPassword', abort: true }),
  z.refine((password) => lengthOf(password) >= PASSWORD.min && bytesOf(password) <= PASSWORD.max, {
    error: passwordError,
  }),
)
export const GivenPassword = z
  .string({ error: 'enterPassword' })
  .check(z.minLength(1, { error: 'enterPassword' }), z.maxLength(1000, { error: passwordError }))

export const Registration = z
  .object({
    username: Username,
    email: Email,
    password: NewPassword,
    rePassword: z.optional(z.string()),
    image: z.optional(Picture),
    /** Replaces the picture with the rosette drawn from the person's id. */
    face: z.optional(z.enum(['drawn'], { error: 'invalidChoice' })),
    hideEmail: Checkbox,
    /** The end of an invitation's link. */
    invitation: z.optional(InvitationToken),
  })
  .check(
    z.refine(({ image, face }) => image !== undefined || face === 'drawn', {
      path: ['image'],
      error: 'pictureRequired',
      when: () => true,
    }),
    z.refine((form) => form.rePassword === undefined || form.rePassword === form.password, {
      path: ['rePassword'],
      error: 'passwordsDiffer',
      when: () => true,
    }),
  )

/** A code from an authenticator app, or a recovery code. Spaces and dashes are ignored. */
export const SignInCode = z.string({ error: 'codeNeeded' }).check(
  z.overwrite((code) => code.replaceAll(/[\s-]/g, '')),
  z.maxLength(100, { error: 'codeWrong' }),
)

export const Login = z.object({
  username: z
    .string({ error: 'usernameValMsg' })
    .check(
      z.overwrite(trimText),
      z.minLength(1, { error: 'usernameValMsg' }),
      z.maxLength(200, { error: 'usernameValMsg' }),
    ),
  password: GivenPassword,
  /** Required for people with a second factor: without it the login returns 401 with an error at `code`. */
  code: z.optional(SignInCode),
})

export const PasswordChange = z.object({ password: GivenPassword, newPassword: NewPassword })

const Token = z
  .string({ error: 'linkInvalid' })
  .check(z.minLength(1, { error: 'linkInvalid' }), z.maxLength(200, { error: 'linkInvalid' }))
export const PasswordReset = z.object({ token: Token, password: NewPassword })
export const PasswordForgot = z.object({ email: Email })

/** People without a password omit it. */
export const Erasure = z.object({ password: z.optional(GivenPassword) })

export const accounts = endpoints({
  register: {
    methods: ['POST'],
    path: '/identity/register',
    access: 'anybody',
    scope: null,
    form: true,
    input: Registration,
    answer: Session,
    summary: 'Register a person and sign in',
  },
  login: {
    methods: ['POST'],
    path: '/identity/login',
    access: 'anybody',
    scope: null,
    input: Login,
    answer: Session,
    summary:
      'Sign in by name and password, and by a code where the person has a second factor (else 401 with an error at `code`)',
  },
  refresh: {
    methods: ['POST'],
    path: '/identity/refresh',
    access: 'cookie',
    scope: null,
    input: Nothing,
    answer: Session,
    summary: 'Renew the session by the refresh cookie, which rotates',
  },
  logout: {
    methods: ['POST'],
    path: '/identity/logout',
    access: 'cookie',
    scope: null,
    input: Nothing,
    answer: null,
    summary: 'End the session of the refresh cookie',
  },
  revokeSessions: {
    methods: ['POST'],
    path: '/identity/sessions/revoke',
    access: 'user',
    scope: null,
    openToSuspended: true,
    input: Nothing,
    answer: null,
    summary: 'End all other sessions of the caller',
  },
  changePassword: {
    methods: ['POST'],
    path: '/identity/password/change',
    access: 'user',
    scope: null,
    openToSuspended: true,
    confirmed: true,
    input: PasswordChange,
    answer: null,
    summary: 'Change the password; ends all other sessions',
  },
  erase: {
    methods: ['POST'],
    path: '/identity/erase',
    access: 'user',
    scope: null,
    openToSuspended: true,
    confirmed: true,
    input: Erasure,
    answer: null,
    summary: 'Erase the account of the caller for good; what others bought stays open to them',
  },
  forgotPassword: {
    methods: ['POST'],
    path: '/identity/password/forgot',
    access: 'anybody',
    scope: null,
    input: PasswordForgot,
    answer: null,
    summary: 'Mail a link that sets a new password; the answer is the same for unknown addresses',
  },
  resetPassword: {
    methods: ['POST'],
    path: '/identity/password/reset',
    access: 'anybody',
    scope: null,
    input: PasswordReset,
    answer: null,
    summary: 'Set a new password by the token of a mailed link; ends all sessions',
  },
  confirmEmail: {
    methods: ['POST'],
    path: '/identity/email/confirm',
    access: 'anybody',
    scope: null,
    input: z.object({ token: Token }),
    answer: null,
    summary: 'Confirm an e-mail address by the token of a mailed link',
  },
  undoEmail: {
    methods: ['POST'],
    path: '/identity/email/undo',
    access: 'anybody',
    scope: null,
    input: z.object({ token: Token }),
    answer: null,
    summary: 'Take a change of the e-mail address back by the token of the notice',
  },
  resendConfirmation: {
    methods: ['POST'],
    path: '/identity/email/resend',
    access: 'user',
    scope: null,
    openToSuspended: true,
    input: Nothing,
    answer: null,
    summary: "Mail the link that confirms the caller's address again",
  },
})
