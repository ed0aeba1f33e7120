/**
 * Rows of sign-ins without a password for the access table (rows.ts). The test site's origin can't use passkeys.
 */
import { confirmed, open, signedIn, type Row } from '#server/testing/access/roles.ts'

const NONE = { id: 999_999 }

export const signInRows: Readonly<Record<string, Row>> = {
  'GET /api/identity/identities': signedIn(200),
  'POST /api/identity/identities/begin': confirmed(404, {}, { provider: 9 }),
  'DELETE /api/identity/identities/{id}': confirmed(404, {}, NONE),
  // This call needs a browser with a pending sign-in at a provider.
  'POST /api/identity/oidc/finish': open(404, {}, {}),
  'POST /api/identity/oidc/register': open(404, {}, { username: 'newcomer' }),
  'GET /api/identity/oidc/waiting': open(404),
  'GET /api/identity/passkeys': signedIn(200),
  'POST /api/identity/passkeys': signedIn(400),
  'POST /api/identity/passkeys/begin': confirmed(409),
  'POST /api/identity/passkeys/confirm': signedIn(400),
  'POST /api/identity/passkeys/confirm/begin': signedIn(409),
  'POST /api/identity/passkeys/sign-in': open(400),
  'POST /api/identity/passkeys/sign-in/begin': open(409),
  'PATCH /api/identity/passkeys/{id}': signedIn(404, {}, { ...NONE, name: 'By {role}' }),
  'DELETE /api/identity/passkeys/{id}': confirmed(404, {}, NONE),
  'GET /api/identity/ways-in': open(200),
}
