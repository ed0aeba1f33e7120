/**
 * The expected access to each row of the route table for each role. One test checks it against the server's
 * answers and one in a browser.
 */

export const ROLES = ['guest', 'user', 'owner', 'buyer', 'administrator'] as const
export type Role = (typeof ROLES)[number]
export type SignedInRole = Exclude<Role, 'guest'>

/** The buyer bought both items, the user none. */
export interface Scene {
  readonly lesson: number
  readonly course: number
  readonly ids: Readonly<Record<SignedInRole, string>>
}

export interface Guard {
  readonly address: (scene: Scene) => string
  /** Redirect target by role. Other roles stay. */
  readonly sent: Readonly<Partial<Record<Role, string>>>
  /** Roles that can read the paid content. */
  readonly reads: readonly Role[]
  readonly status: 200 | 404
}

const EVERYBODY_ELSE = ['user', 'owner', 'buyer', 'administrator'] as const
const PAID = ['owner', 'buyer', 'administrator'] as const
const EDITORS = ['owner', 'administrator'] as const

const open = (address: Guard['address'], more: Partial<Guard> = {}): Guard => ({
  address,
  sent: {},
  reads: [],
  status: 200,
  ...more,
})
const page = (path: string) => open(() => path)

/** Guests are redirected to the login and back. */
const signedIn = (address: Guard['address']): Guard => open(address, { sent: { guest: 'login' } })
/** Other roles are redirected to the home page. */
const administrators = (address: Guard['address']): Guard =>
  open(address, {
    sent: Object.fromEntries(
      ROLES.filter((role) => role !== 'administrator').map((role) => [role, '/']),
    ),
  })
const guestsOnly = (path: string): Guard =>
  open(() => path, { sent: Object.fromEntries(EVERYBODY_ELSE.map((role) => [role, '/'])) })
const editors = (address: Guard['address'], list: string): Guard =>
  open(address, { sent: { guest: 'login', user: list, buyer: list }, reads: EDITORS })

/** Rows with parameters, and rows whose guard doesn't follow from their access. */
export const specialGuards: Readonly<Record<string, Guard>> = {
  '/search': page('/search?q=testing'),
  '/tag/:tag': page('/tag/testing'),
  '/lesson/details/:id': open(({ lesson }) => `/lesson/details/${lesson}`, { reads: PAID }),
  '/course/details/:id/:lessonId?': open(
    ({ course, lesson }) => `/course/details/${course}/${lesson}`,
    {
      reads: PAID,
    },
  ),
  '/sign-in/continue': open(() => '/sign-in/continue', {
    // No sign-in is pending.
    sent: { ...guestsOnly('/').sent, guest: '/login?refused=ended' },
  }),
  // Nobody has this name.
  '/by/:name': open(() => '/by/nobody-at-all', { status: 404 }),
  '/profile/:id': signedIn(({ ids }) => `/profile/${ids.owner}`),
  // The site doesn't require a second factor.
  '/profile/second-factor': open(() => '/profile/second-factor', {
    sent: Object.fromEntries(ROLES.map((role) => [role, role === 'guest' ? 'login' : '/'])),
  }),
  '/lesson/edit/:id': editors(({ lesson }) => `/lesson/edit/${lesson}`, '/lesson/all'),
  '/lesson/captions/:id': open(({ lesson }) => `/lesson/captions/${lesson}`, {
    sent: { guest: 'login', user: '/lesson/all' },
  }),
  // The course form shows only public data: titles and descriptions.
  '/course/edit/:id': {
    ...editors(({ course }) => `/course/edit/${course}`, '/course/all'),
    reads: [],
  },
  // No certificate has this code.
  '/certificate/:code': open(() => `/certificate/${'0'.repeat(26)}`, { status: 404 }),
  // There is no such decision.
  '/appeal/:act': {
    ...signedIn(() => '/appeal/act-999999'),
    status: 404,
  },
  // There is no such item.
  '/author/:kind/:id': { ...signedIn(() => '/author/lesson/999999'), status: 404 },
  '/admin/people/:id': administrators(({ ids }) => `/admin/people/${ids.owner}`),
  '/lesson/contact/:id': signedIn(({ lesson }) => `/lesson/contact/${lesson}`),
  '*': open(() => '/no/such/page', { status: 404 }),
}

const BY_ACCESS: Readonly<Record<string, (path: string) => Guard>> = {
  all: page,
  guest: guestsOnly,
  user: (path) => signedIn(() => path),
  administrator: (path) => administrators(() => path),
}

/** Returns the guard of each row by its path. @throws Error for a row with parameters that isn't special */
export function guardsOf(
  table: readonly (readonly [path: string, access: string, ...unknown[]])[],
): Readonly<Record<string, Guard>> {
  return Object.fromEntries(
    table.map(([path, access]) => {
      const guard = specialGuards[path] ?? BY_ACCESS[access]?.(path)
      if (guard === undefined || (path.includes(':') && !(path in specialGuards)))
        throw new Error(`specialGuards has no address for ${path}`)
      return [path, guard]
    }),
  )
}

/** Returns the address at which a role ends after redirects. */
export function endOf(guard: Guard, role: Role, scene: Scene): string {
  const address = guard.address(scene)
  const sent = guard.sent[role]
  if (sent === undefined) return address
  return sent === 'login' ? `/login?next=${encodeURIComponent(address)}` : sent
}
