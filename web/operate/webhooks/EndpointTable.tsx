import type { WebhookEndpoint } from '#contract/webhooks.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { Time } from '#web/core/time/Time.tsx'
import { DeskTable } from '#web/operate/desk/DeskTable.tsx'
import { EVENT_WORDS } from '#web/operate/webhooks/event-words.ts'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Webhooks.module.css'

export type EndpointAct = 'edit' | 'renew' | 'remove'

interface EndpointTableProps {
  readonly list: readonly WebhookEndpoint[]
  /** The id of the endpoint whose log is open. */
  readonly shown: number | null
  readonly onAct: (act: EndpointAct, endpoint: WebhookEndpoint) => void
}

export function EndpointTable({ list, shown, onAct }: EndpointTableProps) {
  const { t } = useText()
  return (
    <DeskTable
      label={t('webhookList')}
      rows={list}
      keyOf={({ id }) => id}
      columns={[
        {
          name: t('webhookDescription'),
          kind: 'what',
          cell: ({ description, url }) => (
            <>
              <span lang={textLanguage(description)} dir="auto">
                {description}
              </span>
              <p className="quiet small">{url}</p>
            </>
          ),
        },
        {
          name: t('webhookEvents'),
          cell: ({ events }) => (
            <ul className={classes('small', styles.webhookEvents)}>
              {events.map((event) => (
                <li key={event}>{t(EVENT_WORDS[event])}</li>
              ))}
            </ul>
          ),
        },
        { name: t('webhookState'), cell: (endpoint) => <State endpoint={endpoint} /> },
        {
          name: t('deskActs'),
          kind: 'acts',
          cell: (endpoint) => (
            <Acts
              endpoint={endpoint}
              isShown={endpoint.id === shown}
              onAct={(act) => onAct(act, endpoint)}
            />
          ),
        },
      ]}
    />
  )
}

interface ActsProps {
  readonly endpoint: WebhookEndpoint
  readonly isShown: boolean
  readonly onAct: (act: EndpointAct) => void
}

function Acts({ endpoint: { id, description }, isShown, onAct }: ActsProps) {
  const { t } = useText()
  return (
    <div className={styles.webhookActs}>
      <ButtonLink
        as={Link}
        to={isShown ? to.webhooks() : to.webhooks(id)}
        aria-label={`${t('webhookLog')}: ${description}`}
        aria-current={isShown ? 'true' : undefined}
      >
        {t('webhookLog')}
      </ButtonLink>
      <Act label="webhookEdit" of={description} onAct={() => onAct('edit')} />
      <Act label="webhookNew" of={description} onAct={() => onAct('renew')} />
      <Act label="webhookRemove" of={description} onAct={() => onAct('remove')} />
    </div>
  )
}

interface ActProps {
  readonly label: 'webhookEdit' | 'webhookNew' | 'webhookRemove'
  readonly of: string
  readonly onAct: () => void
}

function Act({ label, of, onAct }: ActProps) {
  const { t } = useText()
  return (
    <Button aria-haspopup="dialog" aria-label={`${t(label)}: ${of}`} onClick={onAct}>
      {t(label)}
    </Button>
  )
}

function State({
  endpoint: { enabled, failingSince, givenUp, previousSecretUntil },
}: Pick<ActsProps, 'endpoint'>) {
  const { t } = useText()
  return (
    <>
      {t(enabled ? 'webhookOn' : 'webhookOff')}
      {givenUp !== null && (
        <p className="small">
          {t('webhookGivenUp')} <Time date={givenUp} form="moment" />
        </p>
      )}
      {enabled && failingSince !== null && (
        <p className="small">
          {t('webhookFailing')} <Time date={failingSince} form="moment" />
        </p>
      )}
      {previousSecretUntil !== null && (
        <p className="small">
          {t('webhookPreviousUntil')} <Time date={previousSecretUntil} form="moment" />
        </p>
      )}
    </>
  )
}
