import { ROWS_PER_PAGE } from '#contract/limits.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { TurnLinks } from '#web/items/list/PageLinks.tsx'
import { useSlowWait } from '#web/core/router/slow-wait.ts'
import { DeskFoot } from '#web/moderation/desk/DeskFoot.tsx'
import { DeskTabs } from '#web/moderation/desk/DeskTabs.tsx'
import { MAIL_STATES, MAIL_STATE_WORDS } from '#web/moderation/failures/mail-words.ts'
import { MailTable } from '#web/moderation/failures/MailTable.tsx'
import { UnsentMails } from '#web/moderation/failures/UnsentMails.tsx'
import type { loader } from '#web/moderation/MailsPage.data.ts'
import { RowSkeleton } from '#web/ui/Skeleton.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Chip } from '#web/ui/Chip.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { Head } from '#web/ui/Head.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './MailsPage.module.css'
import deskStyles from '#web/moderation/desk/Desk.module.css'
import chipStyles from '#web/ui/styles/Chip.module.css'

/** The outbox, for administrators: what failed, and what waits for what. */
export default function MailsPage() {
  const { outbox, state, page, counts } = usePageData<typeof loader>()
  const { t } = useText()
  const waits = useSlowWait(to.mails())
  const { mails, sends } = outbox
  return (
    <>
      <DeskTabs here="mails" counts={counts} />
      <Head title={t('deskMails')} as="h1" />
      {!sends && (
        <p className={deskStyles.deskNote} role="note">
          <Icon name="warn" />
          <span>{t('mailsNoServer')}</span>
        </p>
      )}
      <States />
      <p className={classes('quiet', styles.mailsWhat)}>{t(MAIL_STATE_WORDS[state].what)}</p>
      {waits && <RowSkeleton label={t('mailsLoading')} />}
      {!waits && mails.length === 0 && <Nothing />}
      {!waits &&
        mails.length > 0 &&
        (state === 'failed' || state === 'waiting' ? (
          <UnsentMails key={state} mails={mails} state={state} />
        ) : (
          <MailTable label={t(MAIL_STATE_WORDS[state].name)} mails={mails} state={state} />
        ))}
      <TurnLinks
        page={page}
        more={mails.length === ROWS_PER_PAGE}
        href={(number) => addressOf(state, number)}
      />
      <DeskFoot counts={counts} />
    </>
  )
}

/** What failed is the page without more words. */
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

/** Why the list is empty. */
function Nothing() {
  const { state, page } = usePageData<typeof loader>()
  const { t } = useText()
  if (page === 1) return <Empty drawing="tray" title={t(MAIL_STATE_WORDS[state].none)} />
  return (
    <Empty
      drawing="search"
      title={t('mailsNoMore')}
      step={
        <ButtonLink as={Link} to={addressOf(state)}>
          {t('jobsFirstPage')}
        </ButtonLink>
      }
    />
  )
}
