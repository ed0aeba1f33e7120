import { MAIL_RETRY_DAYS } from '#contract/limits.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { DeskPage } from '#web/operate/desk/DeskPage.tsx'
import { DeskRows } from '#web/operate/desk/DeskRows.tsx'
import { MAIL_STATES, MAIL_STATE_WORDS } from '#web/operate/failures/mail-words.ts'
import { MailTable, UnsentMails } from '#web/operate/failures/MailTable.tsx'
import type { loader } from '#web/operate/failures/MailsPage.data.ts'
import { Chip } from '#web/ui/Chip.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './MailsPage.module.css'
import deskStyles from '#web/operate/desk/Desk.module.css'
import chipStyles from '#web/ui/styles/Chip.module.css'

export default function MailsPage() {
  const { outbox, state, page, counts } = usePageData<typeof loader>()
  const { t } = useText()
  const { mails, sends } = outbox
  return (
    <DeskPage here="mails" title={t('deskMails')} counts={counts}>
      {!sends && (
        <p className={deskStyles.deskNote} role="note">
          <Icon name="warn" />
          <span>{t('mailsNoServer')}</span>
        </p>
      )}
      <States />
      <p className={classes('quiet', styles.mailsWhat)}>
        {t(MAIL_STATE_WORDS[state].what, { days: MAIL_RETRY_DAYS })}
      </p>
      <DeskRows
        path={to.mails()}
        count={mails.length}
        page={page}
        href={(number) => addressOf(state, number)}
        loading={t('mailsLoading')}
        nothing={<Empty drawing="tray" title={t(MAIL_STATE_WORDS[state].none)} />}
      >
        {state === 'failed' || state === 'waiting' ? (
          <UnsentMails key={state} mails={mails} state={state} />
        ) : (
          <MailTable mails={mails} state={state} />
        )}
      </DeskRows>
    </DeskPage>
  )
}

/** The failed mails are the default of the page. */
const addressOf = (state: (typeof MAIL_STATES)[number], page?: number) =>
  to.mails(state === 'failed' ? undefined : state, page)

function States() {
  const { outbox, state } = usePageData<typeof loader>()
  const { t, formatNumber } = useText()
  return (
    <div className={chipStyles.chips} role="group" aria-label={t('mailsWhich')}>
      {MAIL_STATES.map((each) => (
        <Chip
          key={each}
          as={Link}
          to={addressOf(each)}
          current={each === state}
          count={each === 'sent' ? undefined : formatNumber(outbox.counts[each])}
        >
          {t(MAIL_STATE_WORDS[each].name)}
        </Chip>
      ))}
    </div>
  )
}
