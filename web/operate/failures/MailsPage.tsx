import { MAIL_RETRY_DAYS } from '#contract/limits.ts'
import { useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import { type DeskMailsQuery, to } from '#web/core/paths.ts'
import { DeskChoice, DeskFilters } from '#web/operate/desk/DeskFilters.tsx'
import { DeskNothing } from '#web/operate/desk/DeskNothing.tsx'
import { DeskPage } from '#web/operate/desk/DeskPage.tsx'
import { DeskRows } from '#web/operate/desk/DeskRows.tsx'
import { DeskSearch } from '#web/operate/desk/DeskSearch.tsx'
import { MAIL_STATES, MAIL_STATE_WORDS } from '#web/operate/failures/mail-words.ts'
import { MailTable, UnsentMails } from '#web/operate/failures/MailTable.tsx'
import type { loader } from '#web/operate/failures/MailsPage.data.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './MailsPage.module.css'
import deskStyles from '#web/operate/desk/Desk.module.css'

export default function MailsPage() {
  const { outbox, state, search, page, counts } = usePageData<typeof loader>()
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
      <Filters />
      <p className={classes('quiet', styles.mailsWhat)}>
        {t(MAIL_STATE_WORDS[state].what, { days: MAIL_RETRY_DAYS })}
      </p>
      <DeskRows
        path={to.mails()}
        count={mails.length}
        page={page}
        href={(number) => addressOf({ state, search, page: number })}
        loading={t('mailsLoading')}
        nothing={
          <DeskNothing
            isFiltered={search !== ''}
            all={addressOf({ state })}
            title={t(MAIL_STATE_WORDS[state].none)}
          />
        }
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
const addressOf = ({ state, ...query }: DeskMailsQuery) =>
  to.mails({ state: state === 'failed' ? undefined : state, ...query })

function Filters() {
  const { outbox, state, search } = usePageData<typeof loader>()
  const { t, formatNumber } = useText()
  return (
    <DeskFilters>
      <DeskSearch
        action={to.mails()}
        label={t('mailsAddress')}
        button={t('deskSearch')}
        search={search}
        kept={{ state: state === 'failed' ? undefined : state }}
      />
      <DeskChoice
        label={t('videosState')}
        choices={MAIL_STATES.map((each) => ({
          name: t(MAIL_STATE_WORDS[each].name),
          count: each === 'sent' ? undefined : formatNumber(outbox.counts[each]),
          to: addressOf({ state: each, search }),
          current: each === state,
        }))}
      />
    </DeskFilters>
  )
}
