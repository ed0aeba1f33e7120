/** Rows of addresses outside the API: pages, files, the hub, sitemaps and forms without JavaScript. */
import {
  byCookie,
  byNewCookie,
  open,
  signedIn,
  type Row,
  writes,
} from '#server/testing/access/roles.ts'

/** People who may not chat are refused before any other check. */
const HUB = Object.fromEntries(
  ['/chatHub', '/api/chatHub'].flatMap((path): readonly (readonly [string, Row])[] => [
    [`POST ${path}/negotiate`, writes(200)],
    // The request lacks a connection id.
    ...['GET', 'POST', 'DELETE'].map((method) => [`${method} ${path}`, writes(400)] as const),
  ]),
)

/** The refused form's page is open for who may read the item. */
const READS = '415 article comment'
const OWNER = '415 article comment email'
const READERS = { courseBuyer: READS, administrator: READS, staleAdministrator: READS } as const

export const besideRows: Readonly<Record<string, Row>> = {
  ...HUB,
  'GET /*': open(404, {}, { '*': 'no/such/page' }),
  'GET /.well-known/security.txt': open(200),
  'GET /.well-known/did.json': open(200),
  'GET /accent/{file}': open(200, {}, { file: '0e5f49-7fd0b0.css' }),
  'GET /art/{kind}/{file}': open(200, {}, { kind: 'avatar', file: 'seed.svg' }),
  'GET /assets/{name}': open(404, {}, { name: 'none.js' }),
  'GET /credentials/{file}': open(404, {}, { file: 'none.jwt' }),
  'GET /dev/mail': open('200 email'),
  'GET /dev/mail/{id}': open(404, {}, { id: 999_999_999 }),
  'GET /dev/mail/{id}/html': open(404, {}, { id: 999_999_999 }),
  'GET /favicon.ico': open(301),
  'GET /favicon.svg': open(200),
  'GET /feeds/author/{file}': open(404, {}, { file: 'none.atom' }),
  'GET /feeds/courses.atom': open(200),
  'GET /feeds/lessons.atom': open(200),
  'GET /feeds/tag/{file}': open(200, {}, { file: 'none.atom' }),
  'GET /files/exports/now': byCookie(
    signedIn(200, {
      user: '200 message file',
      owner: '200 article email explanation',
      buyer: '200 comment',
    }),
  ),
  'GET /files/exports/{id}': byCookie(signedIn(404, {}, { id: '{owner}' })),
  'GET /files/figures/{file}': byCookie(signedIn(200, {}, { file: '30.csv' })),
  'GET /files/pictures/{key}/{file}': open(404, {}, { key: '0'.repeat(40), file: '320.webp' }),
  'GET /files/resources/{id}/*': byCookie(
    signedIn(403, { user: '200 file', administrator: 403 }, { id: '{upload}', '*': 'secret.txt' }),
  ),
  'GET /healthz': open(200),
  'GET /healthz/seen': open(404),
  'GET /locales/{file}': open(200, {}, { file: 'en.json' }),
  'GET /logo/{file}': open(404, {}, { file: '0123456789abcdef.webp' }),
  'GET /manifest/{file}': open(200, {}, { file: 'en.webmanifest' }),
  'GET /oidc/begin/{provider}': open(303, {}, { provider: 1 }),
  'GET /oidc/callback/{provider}': open(303, {}, { provider: 1 }),
  'GET /readyz': open(200),
  'GET /robots.txt': open(200),
  'GET /search': open(303),
  'GET /share.jpg': open(200),
  'GET /share/{file}': open(404, {}, { file: `${'0'.repeat(40)}.jpg` }),
  'GET /service-worker.js': open(200),
  'GET /sitemap.xml': open(200),
  'GET /sitemap/pages.xml': open(200),
  'GET /sitemap/{file}': open(404, {}, { file: 'none.xml' }),
  'POST /course/details/{id}': byCookie(
    open(415, { ...READERS, owner: OWNER }, { id: '{course}' }),
  ),
  'POST /email/unsubscribe': open(303, {}, {}),
  'POST /lesson/contact/{id}': byCookie(
    open(415, { guest: 302, owner: '415 email', erased: 302 }, { id: '{lesson}' }),
  ),
  'POST /lesson/create': byCookie(open(415, { guest: 302, owner: '415 email', erased: 302 })),
  'POST /lesson/details/{id}': byCookie(
    open(415, { ...READERS, owner: OWNER, buyer: READS, suspended: READS }, { id: '{lesson}' }),
  ),
  'POST /login': byCookie(open(302, { guest: 415, erased: 415 })),
  'POST /logout': byNewCookie(open(303)),
  'POST /oidc/logout/{provider}': open(503, {}, { provider: 1 }),
  'POST /password/forgot': open(415),
  'POST /password/reset': open(415),
  'POST /policy-reports': open(400),
  'POST /register': byCookie(open(302, { guest: 415, erased: 415 })),
  'POST /report': open(415),
}
