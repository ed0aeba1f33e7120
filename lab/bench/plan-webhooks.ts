/** Another program is told of all that happens on the walk. */
import { WEBHOOK_EVENTS } from '#contract/webhooks.ts'
import { waitForJobs } from './database.ts'
import type { Stage, Teller } from './plan-stage.ts'

/** Begins; answers the endpoint's id. Its name has no address, so each event is written and none arrives. */
export async function beginWebhooks({ tell }: Stage, administrator: Teller): Promise<number> {
  const draft = {
    url: 'https://hooks.invalid/',
    description: 'Of the walk',
    events: WEBHOOK_EVENTS,
    enabled: true,
  }
  const { body } = await tell(administrator, 'POST /api/admin/webhooks', draft)
  const { id } = body['endpoint'] as { readonly id: number }
  await tell(administrator, `POST /api/admin/webhooks/${id}/secret`)
  await tell(administrator, `POST /api/admin/webhooks/${id}`, draft)
  return id
}

/** Looks at what was sent, sends some of it again, and ends it. */
export async function endWebhooks(
  { tell, database }: Stage,
  administrator: Teller,
  id: number,
): Promise<void> {
  await tell(administrator, 'GET /api/admin/webhooks')
  await tell(administrator, `GET /api/admin/webhooks/${id}/deliveries?page=2`)
  const { rows } = await database.client.query<{ id: number }>(
    `update webhook_deliveries set state = 'failed'
     where id = (select min(id) from webhook_deliveries) returning id`,
  )
  await tell(administrator, `POST /api/admin/webhooks/${id}/deliveries/${rows[0]?.id ?? 0}/resend`)
  await waitForJobs(database)
  await tell(administrator, `DELETE /api/admin/webhooks/${id}`)
}
