/** Rows of webhooks for the access table (rows.ts). */
import { desk, deskWrites, type Row } from '#server/testing/access/roles.ts'

export const webhookRows: Readonly<Record<string, Row>> = {
  'GET /api/admin/webhooks': desk(200),
  'POST /api/admin/webhooks': deskWrites(400),
  'POST /api/admin/webhooks/{id}': deskWrites(400, {}, { id: 999_999 }),
  'DELETE /api/admin/webhooks/{id}': deskWrites(404, {}, { id: 999_999 }),
  'GET /api/admin/webhooks/{id}/deliveries': desk(200, {}, { id: 999_999 }),
  'POST /api/admin/webhooks/{id}/deliveries/{delivery}/resend': deskWrites(
    404,
    {},
    { id: 999_999, delivery: 1 },
  ),
  'POST /api/admin/webhooks/{id}/secret': deskWrites(404, {}, { id: 999_999 }),
}
