/**
 * The expected access to each row of the route table for each role. One test checks it against the server's
 * answers and one in a browser; both fail if a row is missing.
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
const administrators = (path: string): Guard =>
  open(() => path, {
    sent: Object.fromEntries(
      ROLES.filter((role) => role !== 'administrator').map((role) => [role, '/']),
    ),
  })
const guestsOnly = (path: string): Guard =>
  open(() => path, { sent: Object.fromEntries(EVERYBODY_ELSE.map((role) => [role, '/'])) })
const editors = (address: Guard['address'], list: string): Guard =>
  open(address, { sent: { guest: 'login', user: list, buyer: list }, reads: EDITORS })

export const guards: Readonly<Record<string, Guard>> = {
  '/': page('/'),
  '/about': page('/about'),
  '/privacy-policy': page('/privacy-policy'),
  '/offline': page('/offline'),
  '/lesson/all': page('/lesson/all'),
  '/course/all': page('/course/all'),
  '/search': open(() => '/search?q=testing', {}),
  '/tag/:tag': open(() => '/tag/testing', {}),
  '/lesson/details/:id': open(({ lesson }) => `/lesson/details/${lesson}`, { reads: PAID }),
  '/course/details/:id/:lessonId?': open(
    ({ course, lesson }) => `/course/details/${course}/${lesson}`,
    {
      reads: PAID,
    },
  ),
  '/login': guestsOnly('/login'),
  '/sign-in/continue': open(() => '/sign-in/continue', {
    // No sign-in is pending.
    sent: { ...guestsOnly('/').sent, guest: '/login?refused=ended' },
  }),
  '/register': guestsOnly('/register'),
  '/logout': signedIn(() => '/logout'),
  '/profile/:id': signedIn(({ ids }) => `/profile/${ids.owner}`),
  '/profile/update': signedIn(() => '/profile/update'),
  // The site doesn't require a second factor.
  '/profile/second-factor': open(() => '/profile/second-factor', {
    sent: Object.fromEntries(ROLES.map((role) => [role, role === 'guest' ? 'login' : '/'])),
  }),
  '/profile/sessions': signedIn(() => '/profile/sessions'),
  '/profile/tokens': signedIn(() => '/profile/tokens'),
  '/lesson/create': signedIn(() => '/lesson/create'),
  '/course/create': signedIn(() => '/course/create'),
  '/lesson/bought': signedIn(() => '/lesson/bought'),
  '/course/bought': signedIn(() => '/course/bought'),
  '/lesson/yours': signedIn(() => '/lesson/yours'),
  '/course/yours': signedIn(() => '/course/yours'),
  '/following': signedIn(() => '/following'),
  '/liked': signedIn(() => '/liked'),
  '/chat': signedIn(() => '/chat'),
  '/user-center': signedIn(() => '/user-center'),
  '/lesson/edit/:id': editors(({ lesson }) => `/lesson/edit/${lesson}`, '/lesson/all'),
  // The course form shows only public data: titles and descriptions.
  '/course/edit/:id': {
    ...editors(({ course }) => `/course/edit/${course}`, '/course/all'),
    reads: [],
  },
  '/notes': signedIn(() => '/notes'),
  '/notifications': signedIn(() => '/notifications'),
  '/profile/notifications': signedIn(() => '/profile/notifications'),
  '/certificate/yours': signedIn(() => '/certificate/yours'),
  // No certificate has this code.
  '/certificate/:code': open(() => `/certificate/${'0'.repeat(26)}`, { status: 404 }),
  '/points': signedIn(() => '/points'),
  '/report': page('/report'),
  '/lesson/contact/:id': signedIn(({ lesson }) => `/lesson/contact/${lesson}`),
  '/comment/all': administrators('/comment/all'),
  '/admin/ratings': administrators('/admin/ratings'),
  '/password/forgot': page('/password/forgot'),
  '/password/reset': page('/password/reset'),
  '/email/confirm': page('/email/confirm'),
  '/email/undo': page('/email/undo'),
  '/email/unsubscribe': page('/email/unsubscribe'),
  '/admin/reports': administrators('/admin/reports'),
  '/admin/bugs': administrators('/admin/bugs'),
  '/admin/log': administrators('/admin/log'),
  '/admin/mails': administrators('/admin/mails'),
  '/admin/jobs': administrators('/admin/jobs'),
  '/admin/audit': administrators('/admin/audit'),
  '/admin/backups': administrators('/admin/backups'),
  '/admin/webhooks': administrators('/admin/webhooks'),
  '/api/docs': page('/api/docs'),
  '*': open(() => '/no/such/page', { status: 404 }),
}

/** Returns the address at which a role ends after redirects. */
export function endOf(guard: Guard, role: Role, scene: Scene): string {
  const address = guard.address(scene)
  const sent = guard.sent[role]
  if (sent === undefined) return address
  return sent === 'login' ? `/login?next=${encodeURIComponent(address)}` : sent
}
