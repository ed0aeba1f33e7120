/** Rows of the desk for the access table (rows.ts). */
import { desk, deskWrites, type Row } from '#server/testing/access/roles.ts'
import { webhookRows } from '#server/testing/access/webhook-rows.ts'

const OWNER = { id: '{owner}' }
const NEW_PERSON = { id: '{newPerson}' }
const NONE = { ids: [999_999] }

export const deskRows: Readonly<Record<string, Row>> = {
  'GET /api/admin/audit': desk(200),
  'GET /api/admin/backups': desk(200),
  'GET /api/admin/bugs': desk(200),
  'POST /api/admin/bugs/{id}': deskWrites(404, {}, { id: 999_999, done: true }),
  'GET /api/admin/counts': desk(200),
  'GET /api/admin/economy': desk(200),
  'GET /api/admin/flags': desk(200),
  'POST /api/admin/flags/{id}': deskWrites(404, {}, { id: 999_999, closed: true }),
  'POST /api/admin/flags/{id}/outcome': deskWrites(404, {}, { id: 999_999, outcome: 'fine' }),
  'GET /api/admin/flags/{id}/texts': desk(404, {}, { id: 999_999 }),
  'GET /api/admin/invitation/all': desk(200),
  'POST /api/admin/invitation/create': deskWrites(200, {}, { uses: 1, days: 1 }),
  'DELETE /api/admin/invitation/{id}': deskWrites(404, {}, { id: 999_999 }),
  'GET /api/admin/jobs': desk(200),
  'POST /api/admin/jobs/drop': deskWrites(204, {}, NONE),
  'POST /api/admin/jobs/retry': deskWrites(204, {}, NONE),
  'GET /api/admin/log': desk(200),
  'GET /api/admin/mails': desk(200, {}, { state: 'sent' }),
  'POST /api/admin/mails/drop': deskWrites(204, {}, NONE),
  'POST /api/admin/mails/retry': deskWrites(204, {}, NONE),
  'GET /api/admin/numbers': desk(200),
  'GET /api/admin/people': desk('200 email', {}, { search: 'owner' }),
  'GET /api/admin/people/{id}': desk('200 email', {}, OWNER),
  'POST /api/admin/people/{id}/about/delete': deskWrites(
    204,
    {},
    { ...NEW_PERSON, about: '', reason: 'For the table' },
  ),
  'POST /api/admin/people/{id}/factors/reset': deskWrites(
    409,
    {},
    { ...NEW_PERSON, reason: 'For the table' },
  ),
  'GET /api/admin/people/{id}/points': desk(200, {}, OWNER),
  'POST /api/admin/people/{id}/points': deskWrites(
    200,
    {},
    { ...NEW_PERSON, amount: 5, reason: 'For the table', draftId: '{newPerson}' },
  ),
  'POST /api/admin/people/{id}/points/undo': deskWrites(
    404,
    {},
    { ...NEW_PERSON, entry: 999_999, reason: 'For the table' },
  ),
  'POST /api/admin/people/{id}/role': deskWrites(
    204,
    {},
    { ...NEW_PERSON, role: 'user', reason: 'For the table' },
  ),
  'GET /api/admin/settings': desk(200),
  'PUT /api/admin/settings': deskWrites(409, {}, { version: 999_999, texts: {} }),
  'POST /api/admin/settings/logo': deskWrites(400, {}, { version: 0 }),
  'POST /api/admin/sign-out/{id}': deskWrites(204, {}, { ...NEW_PERSON, reason: 'For the table' }),
  'POST /api/admin/suspend/{id}': deskWrites(204, {}, { ...NEW_PERSON, reason: 'For the table' }),
  'POST /api/admin/unsuspend/{id}': deskWrites(409, {}, { ...NEW_PERSON, reason: 'For the table' }),
  'GET /api/admin/videos': desk(200),
  'POST /api/admin/videos/{id}/check': deskWrites(404, {}, { id: 999_999 }),
  ...webhookRows,
}
