import type { Contact } from '#contract/chat.ts'
import { chatAddress } from '#web/community/chat/chat-address.ts'
import { useLiveContacts } from '#web/community/chat/live-contacts.ts'
import { Time } from '#web/core/time/Time.tsx'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { to } from '#web/core/paths.ts'
import { useNameOf } from '#web/core/PersonName.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { UnreadBadge } from '#web/layout/header/UnreadBadge.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Face } from '#web/ui/Face.tsx'
import styles from './Chat.module.css'

interface ContactListProps {
  readonly contacts: readonly Contact[]
  /** The id of the person in the open conversation. */
  readonly current: string | undefined
}

export function ContactList({ contacts, current }: ContactListProps) {
  const { t } = useText()
  const nameOf = useNameOf()
  const shown = useLiveContacts(contacts)
  return (
    <nav className={styles.people} aria-labelledby="contacts">
      <h2 id="contacts">{t('contacts')}</h2>
      {shown.length === 0 && (
        <Empty className={styles.nobody} drawing="talk" title={t('noContacts')} />
      )}
      {shown.map(({ id, userName, imageUrl, lastText, date, unread }) => (
        <Link
          key={id}
          to={chatAddress({ id, userName })}
          aria-current={id === current ? 'page' : undefined}
        >
          <Face src={imageUrl} />
          <b>{nameOf(userName)}</b>
          <Time date={date} form="recent" />
          <p lang={textLanguage(lastText)} dir="auto">
            {lastText}
          </p>
          <UnreadBadge count={unread} />
        </Link>
      ))}
      <ButtonLink as={Link} className={styles.find} icon="search" to={to.userCenter()}>
        {t('findPerson')}
      </ButtonLink>
    </nav>
  )
}
