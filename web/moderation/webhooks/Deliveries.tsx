import { useState } from 'react'
import { ROWS_PER_PAGE } from '#contract/limits.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import { webhooks, type WebhookDelivery, type WebhookEndpoint } from '#contract/webhooks.ts'
import { api } from '#web/core/api.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { useSending } from '#web/core/form/use-sending.ts'
import { useText } from '#web/core/i18n.tsx'
import { useReload } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { Time } from '#web/core/time/Time.tsx'
import { toast } from '#web/core/toast.ts'
import { TurnLinks } from '#web/items/list/PageLinks.tsx'
import { DeskCell, DeskColumn, DeskRow, DeskTable } from '#web/moderation/desk/DeskTable.tsx'
import { EVENT_WORDS } from '#web/moderation/webhooks/event-words.ts'
import { Button } from '#web/ui/Button.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Webhooks.module.css'

interface DeliveriesProps {
  readonly log: {
    readonly of: WebhookEndpoint
    readonly page: number
    readonly deliveries: readonly WebhookDelivery[]
  }
}

const STATES: Readonly<Record<WebhookDelivery['state'], MessageKey>> = {
  waiting: 'webhookStateWaiting',
  delivered: 'webhookStateDelivered',
  failed: 'webhookStateFailed',
}

/** What was sent to one webhook, newest first; what arrived or was given up can be sent again. */
export function Deliveries({ log: { of, page, deliveries } }: DeliveriesProps) {
  const { t } = useText()
  const reload = useReload()
  const { failure, send } = useSending()
  const [acting, setActing] = useState<number | null>(null)
  const resend = async (delivery: number) => {
    setActing(delivery)
    await send(async () => {
      await api(webhooks.resend, { id: of.id, delivery })
      toast(t('webhookResent'))
      await reload()
    })
    setActing(null)
  }
  return (
    <section aria-labelledby="webhook-log">
      <h2 id="webhook-log" className={styles.webhookLog}>
        {t('webhookDeliveriesOf', { name: of.description })}
      </h2>
      {failure !== null && <Alert heading={t('error')}>{failure.text}</Alert>}
      {deliveries.length === 0 ? (
        <p className="quiet">{t('webhookDeliveriesNone')}</p>
      ) : (
        <DeskTable label={t('webhookDeliveries')} head={<Columns />}>
          {deliveries.map((delivery) => (
            <DeliveryRow
              key={delivery.id}
              delivery={delivery}
              busy={acting === delivery.id}
              onResend={() => void resend(delivery.id)}
            />
          ))}
        </DeskTable>
      )}
      <TurnLinks
        page={page}
        more={deliveries.length === ROWS_PER_PAGE}
        href={(number) => to.webhooks(of.id, number)}
      />
    </section>
  )
}

function Columns() {
  const { t } = useText()
  return (
    <>
      <DeskColumn kind="what">{t('webhookEvent')}</DeskColumn>
      <DeskColumn kind="number">{t('webhookState')}</DeskColumn>
      <DeskColumn>{t('webhookAnswer')}</DeskColumn>
      <DeskColumn kind="time">{t('webhookWhen')}</DeskColumn>
      <DeskColumn kind="acts">
        <span className="sr">{t('deskActs')}</span>
      </DeskColumn>
    </>
  )
}

interface DeliveryRowProps {
  readonly delivery: WebhookDelivery
  readonly busy: boolean
  readonly onResend: () => void
}

function DeliveryRow({ delivery, busy, onResend }: DeliveryRowProps) {
  const { t, formatNumber } = useText()
  const { event, type, happened, state, attempts, attempted, status, milliseconds, answer, error } =
    delivery
  const name = t(EVENT_WORDS[type])
  return (
    <DeskRow>
      <DeskCell kind="what">
        {name}
        <p className="quiet small">{event}</p>
      </DeskCell>
      <DeskCell>
        {t(STATES[state])}
        <p className={classes('quiet small num', styles.webhookOnce)}>
          {t('webhookAttempts', { count: attempts })}
        </p>
      </DeskCell>
      <DeskCell>
        {status !== null && (
          <span className="num">
            {t('webhookStatus', { status })}
            {milliseconds !== null &&
              `, ${t('webhookMilliseconds', { count: formatNumber(milliseconds) })}`}
          </span>
        )}
        {error !== null && (
          <p className="small" lang="en">
            {error}
          </p>
        )}
        {answer !== null && answer !== '' && (
          <p className="quiet small" dir="auto">
            {answer}
          </p>
        )}
      </DeskCell>
      <DeskCell>
        <Time date={attempted ?? happened} form="moment" />
      </DeskCell>
      <DeskCell kind="acts">
        {state !== 'waiting' && (
          <Button
            icon="retry"
            busy={busy}
            aria-label={`${t('webhookResend')}: ${name}`}
            onClick={onResend}
          >
            {t('webhookResend')}
          </Button>
        )}
      </DeskCell>
    </DeskRow>
  )
}
