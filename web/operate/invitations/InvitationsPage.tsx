import { useState } from 'react'
import type { InvitationState } from '#contract/door.ts'
import { type Invitation, InvitationDraft, invitations } from '#contract/invitations.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import { api } from '#web/core/api.ts'
import { ConfirmDialog } from '#web/core/form/ConfirmDialog.tsx'
import { useAppForm } from '#web/core/form/form.ts'
import { FormAlert } from '#web/core/form/FormAlert.tsx'
import { SubmitButton } from '#web/core/form/SubmitButton.tsx'
import { useText } from '#web/core/i18n.tsx'
import { usePageData, useReload } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { PersonName } from '#web/core/PersonName.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { toast } from '#web/core/toast.ts'
import { Time } from '#web/core/time/Time.tsx'
import { DeskPage } from '#web/operate/desk/DeskPage.tsx'
import { DeskPerson } from '#web/operate/desk/DeskPerson.tsx'
import { DeskRows } from '#web/operate/desk/DeskRows.tsx'
import { DeskTable } from '#web/operate/desk/DeskTable.tsx'
import type { loader } from '#web/operate/invitations/InvitationsPage.data.ts'
import { LinkDialog } from '#web/people/accounts/invitations/LinkDialog.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { Field } from '#web/ui/inputs/Field.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Invitations.module.css'

const STATES: Readonly<Record<InvitationState, MessageKey>> = {
  valid: 'invitationStateValid',
  used: 'invitationStateUsed',
  expired: 'invitationStateExpired',
  withdrawn: 'invitationStateWithdrawn',
  unknown: 'invitationStateWithdrawn',
}

export default function InvitationsPage() {
  const { list, page, counts } = usePageData<typeof loader>()
  const { t } = useText()
  const reload = useReload()
  const [link, setLink] = useState<string | null>(null)
  const [leaving, setLeaving] = useState<Invitation | null>(null)
  return (
    <DeskPage here="invitations" title={t('deskInvitations')} counts={counts}>
      <p className={classes('quiet', styles.help)}>{t('invitationsHelp')}</p>
      <MakeForm
        onMade={(made) => {
          setLink(made)
          void reload()
        }}
      />
      <DeskRows
        path={to.invitations()}
        count={list.length}
        page={page}
        href={to.invitations}
        loading={t('invitationsLoading')}
        nothing={
          <Empty drawing="tray" title={t('invitationNone')}>
            {t('invitationNoneHelp')}
          </Empty>
        }
      >
        <List list={list} onWithdraw={setLeaving} />
      </DeskRows>
      {link !== null && <LinkDialog link={link} onClose={() => setLink(null)} />}
      {leaving !== null && (
        <ConfirmDialog
          onClose={() => setLeaving(null)}
          title={t('invitationWithdrawTitle')}
          step={{ label: t('certificateWithdraw'), kind: 'risk', icon: 'bin' }}
          act={() => api(invitations.remove, { id: leaving.id })}
          onDone={() => {
            toast(t('invitationGone'))
            void reload()
          }}
        >
          <p>{t('invitationWithdrawText')}</p>
        </ConfirmDialog>
      )}
    </DeskPage>
  )
}

function MakeForm({ onMade }: { readonly onMade: (link: string) => void }) {
  const { t } = useText()
  const f = useAppForm({
    schema: InvitationDraft,
    defaults: { uses: '1', days: '7' },
    labels: { uses: t('invitationUses'), days: t('invitationDays') },
    required: ['uses', 'days'],
    send: async (draft) => onMade((await api(invitations.create, draft)).link),
  })
  return (
    <form className={styles.make} onSubmit={(event) => void f.onSubmit(event)} noValidate>
      <Field label={t('invitationUses')} error={f.errorOf('uses')}>
        {(wiring) => <TextInput {...wiring} inputMode="numeric" {...f.register('uses')} />}
      </Field>
      <Field label={t('invitationDays')} error={f.errorOf('days')}>
        {(wiring) => <TextInput {...wiring} inputMode="numeric" {...f.register('days')} />}
      </Field>
      <SubmitButton form={f} icon="plus">
        {t('invitationMake')}
      </SubmitButton>
      <FormAlert alert={f.alert} />
    </form>
  )
}

interface ListProps {
  readonly list: readonly Invitation[]
  readonly onWithdraw: (invitation: Invitation) => void
}

function List({ list, onWithdraw }: ListProps) {
  const { t } = useText()
  return (
    <DeskTable
      label={t('invitationList')}
      rows={list}
      keyOf={({ id }) => id}
      columns={[
        {
          name: t('invitationBy'),
          kind: 'person',
          cell: ({ inviter }) => (
            <>
              <DeskPerson person={inviter} />
              <Link className="small" to={to.people({ invitedBy: inviter.id })}>
                {t('invitationAllBy')}
              </Link>
            </>
          ),
        },
        {
          name: t('invitationCame'),
          kind: 'what',
          cell: ({ came, used, uses }) => (
            <>
              <span className="num">{t('invitationUsedOf', { used, uses })}</span>
              {came.map(({ id, userName }) => (
                <span key={id} className={styles.came}>
                  {' '}
                  <PersonName name={userName} />
                </span>
              ))}
            </>
          ),
        },
        {
          name: t('invitationEnds'),
          kind: 'time',
          cell: ({ expiresAt }) => <Time date={expiresAt} form="moment" />,
        },
        { name: t('videosState'), cell: ({ state }) => t(STATES[state]) },
        {
          name: t('deskActs'),
          kind: 'acts',
          cell: (invitation) =>
            invitation.state === 'valid' && (
              <Button aria-haspopup="dialog" onClick={() => onWithdraw(invitation)}>
                {t('certificateWithdraw')}
              </Button>
            ),
        },
      ]}
    />
  )
}
