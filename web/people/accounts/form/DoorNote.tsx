import type { InvitationState } from '#contract/door.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import type { WaysIn } from '#contract/ways-in.ts'
import { Rich, useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { to } from '#web/core/paths.ts'
import { Icon } from '#web/ui/Icon.tsx'
import styles from '#web/ui/inputs/Form.module.css'

const STATES: Readonly<Record<InvitationState, MessageKey>> = {
  valid: 'doorInvited',
  used: 'invitationUsed',
  expired: 'invitationExpired',
  withdrawn: 'invitationWithdrawn',
  unknown: 'invitationUnknown',
}
const DOORS = {
  invitation: 'doorInvitation',
  domain: 'doorDomain',
  closed: 'doorClosed',
} as const

/** Says who may register, unless everybody may, and what is wrong with an invitation. */
export function DoorNote({ ways: { door, domains, invitation } }: { readonly ways: WaysIn }) {
  const { t } = useText()
  if (door === 'open') return null
  const isInvited = invitation === 'valid' && door !== 'closed'
  return (
    <div className={styles.note} role="note">
      <Icon name={isInvited ? 'check' : 'warn'} />
      <div>
        {invitation !== null && door !== 'closed' && <p>{t(STATES[invitation])}</p>}
        {!isInvited && (
          <>
            <p>{t(DOORS[door], { domains: domains.join(', ') })}</p>
            {door !== 'closed' && (
              <p>
                <Rich id="doorAsk" components={{ a: <Link to={to.report()} /> }} />
              </p>
            )}
          </>
        )}
      </div>
    </div>
  )
}
