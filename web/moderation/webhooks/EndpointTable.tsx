import type { WebhookEndpoint } from '#contract/webhooks.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { Time } from '#web/core/time/Time.tsx'
import { DeskCell, DeskColumn, DeskRow, DeskTable } from '#web/moderation/desk/DeskTable.tsx'
import { EVENT_WORDS } from '#web/moderation/webhooks/event-words.ts'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Webhooks.module.css'

/** What is done with one that is there. */
export type EndpointAct = 'edit' | 'renew' | 'remove'

interface EndpointTableProps {
  readonly list: readonly WebhookEndpoint[]
  /** The one whose log is open. */
  readonly shown: number | null
  readonly onAct: (act: EndpointAct, endpoint: WebhookEndpoint) => void
}

/** The webhooks, each with its address, its events and how it fares. */
export function EndpointTable({ list, shown, onAct }: EndpointTableProps) {
  const { t } = useText()
  return (
    <DeskTable
      label={t('webhookList')}
      head={
        <>
          <DeskColumn kind="what">{t('webhookDescription')}</DeskColumn>
          <DeskColumn>{t('webhookEvents')}</DeskColumn>
          <DeskColumn>{t('webhookState')}</DeskColumn>
          <DeskColumn kind="acts">
            <span className="sr">{t('deskActs')}</span>
          </DeskColumn>
        </>
      }
    >
      {list.map((endpoint) => (
        <EndpointRow
          key={endpoint.id}
          endpoint={endpoint}
          isShown={endpoint.id === shown}
          onAct={(act) => onAct(act, endpoint)}
        />
      ))}
    </DeskTable>
  )
}

interface EndpointRowProps {
  readonly endpoint: WebhookEndpoint
  readonly isShown: boolean
  readonly onAct: (act: EndpointAct) => void
}

function EndpointRow({ endpoint, isShown, onAct }: EndpointRowProps) {
  const { t } = useText()
  const { id, url, description, events } = endpoint
  return (
    <DeskRow>
      <DeskCell kind="what">
        <span lang={textLanguage(description)} dir="auto">
          {description}
        </span>
        <p className="quiet small">{url}</p>
      </DeskCell>
      <DeskCell>
        <ul className={classes('small', styles.webhookEvents)}>
          {events.map((event) => (
            <li key={event}>{t(EVENT_WORDS[event])}</li>
          ))}
        </ul>
      </DeskCell>
      <DeskCell>
        <State endpoint={endpoint} />
      </DeskCell>
      <DeskCell kind="acts">
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
      </DeskCell>
    </DeskRow>
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
}: Pick<EndpointRowProps, 'endpoint'>) {
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
