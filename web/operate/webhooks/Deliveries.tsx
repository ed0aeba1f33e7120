import { useState } from 'react'
import { ROWS_PER_PAGE, WEBHOOK_EVENT_DAYS } from '#contract/limits.ts'
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
import { TurnLinks } from '#web/layout/paging/PageLinks.tsx'
import { DeskTable } from '#web/operate/desk/DeskTable.tsx'
import { EVENT_WORDS } from '#web/operate/webhooks/event-words.ts'
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
        <p className="quiet">{t('webhookDeliveriesNone', { days: WEBHOOK_EVENT_DAYS })}</p>
      ) : (
        <DeliveryTable
          deliveries={deliveries}
          acting={acting}
          onResend={(delivery) => void resend(delivery)}
        />
      )}
      <TurnLinks
        page={page}
        more={deliveries.length === ROWS_PER_PAGE}
        href={(number) => to.webhooks(of.id, number)}
      />
    </section>
  )
}

interface DeliveryTableProps {
  readonly deliveries: readonly WebhookDelivery[]
  /** The id of the delivery that is being resent. */
  readonly acting: number | null
  readonly onResend: (delivery: number) => void
}

function DeliveryTable({ deliveries, acting, onResend }: DeliveryTableProps) {
  const { t } = useText()
  return (
    <DeskTable
      label={t('webhookDeliveries')}
      rows={deliveries}
      keyOf={({ id }) => id}
      columns={[
        {
          name: t('webhookEvent'),
          kind: 'what',
          cell: ({ type, event }) => (
            <>
              {t(EVENT_WORDS[type])}
              <p className="quiet small">{event}</p>
            </>
          ),
        },
        {
          name: t('webhookState'),
          kind: 'number',
          cell: ({ state, attempts }) => (
            <>
              {t(STATES[state])}
              <p className={classes('quiet small num', styles.webhookOnce)}>
                {t('webhookAttempts', { count: attempts })}
              </p>
            </>
          ),
        },
        { name: t('webhookAnswer'), cell: (delivery) => <Answer delivery={delivery} /> },
        {
          name: t('webhookWhen'),
          kind: 'time',
          cell: ({ attempted, happened }) => <Time date={attempted ?? happened} form="moment" />,
        },
        {
          name: t('deskActs'),
          kind: 'acts',
          cell: ({ id, type, state }) =>
            state !== 'waiting' && (
              <Button
                icon="retry"
                busy={acting === id}
                aria-label={`${t('webhookResend')}: ${t(EVENT_WORDS[type])}`}
                onClick={() => onResend(id)}
              >
                {t('webhookResend')}
              </Button>
            ),
        },
      ]}
    />
  )
}

function Answer({ delivery }: { readonly delivery: WebhookDelivery }) {
  const { t, formatNumber } = useText()
  const { status, milliseconds, answer, error } = delivery
  return (
    <>
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
    </>
  )
}
