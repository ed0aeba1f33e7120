import { Form } from 'react-router'
import type { Contact } from '#contract/chat.ts'
import { ROWS_PER_PAGE, SEARCH_LENGTH } from '#contract/limits.ts'
import type { ProfileCard } from '#contract/profile-card.ts'
import { isFormerMember } from '#contract/former-member.ts'
import { chatAddress } from '#web/community/chat/chat-address.ts'
import { useLiveContacts } from '#web/community/chat/live-contacts.ts'
import { Time } from '#web/core/time/Time.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { UnreadBadge } from '#web/layout/header/UnreadBadge.tsx'
import type { loader } from '#web/community/chat/UserCenterPage.data.ts'
import { useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { useNameOf } from '#web/core/PersonName.tsx'
import { useSession } from '#web/core/session.ts'
import { textLanguage } from '#web/core/text-language.ts'
import { TurnLinks } from '#web/layout/paging/PageLinks.tsx'
import { useSlowWait } from '#web/core/router/slow-wait.ts'
import { RowSkeleton } from '#web/ui/Skeleton.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { Face } from '#web/ui/Face.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Chat.module.css'
import iconButtonStyles from '#web/ui/styles/IconButton.module.css'

export default function UserCenterPage() {
  const { t } = useText()
  return (
    <>
      <h1>{t('userCenterTitle')}</h1>
      <div className={styles.center}>
        <Contacts />
        <People />
      </div>
    </>
  )
}

function Contacts() {
  const { contacts, contactsPage, search, page } = usePageData<typeof loader>()
  const { t } = useText()
  const shown = useLiveContacts(contacts, contactsPage)
  return (
    <section aria-labelledby="contacts">
      <h2 id="contacts">{t('contacts')}</h2>
      {shown.length === 0 ? (
        <Empty drawing="talk" title={t('noContacts')}>
          {t('noContactsStep')}
        </Empty>
      ) : (
        <ul className={styles.persons}>
          {shown.map((contact) => (
            <ContactRow key={contact.id} contact={contact} />
          ))}
        </ul>
      )}
      <TurnLinks
        page={contactsPage}
        more={contacts.length === ROWS_PER_PAGE}
        href={(next) => to.userCenter({ search, page, contacts: next })}
      />
    </section>
  )
}

function ContactRow({ contact }: { readonly contact: Contact }) {
  const { lastText, date, unread } = contact
  return (
    <PersonRow person={contact}>
      <p lang={textLanguage(lastText)} dir="auto">
        {lastText}
      </p>
      <span className={styles.when}>
        <Time date={date} form="recent" />
        <UnreadBadge count={unread} />
      </span>
    </PersonRow>
  )
}

interface PersonRowProps {
  readonly person: ProfileCard
  readonly children?: React.ReactNode
}

function PersonRow({ person, children }: PersonRowProps) {
  const { t } = useText()
  const { id, userName, imageUrl } = person
  const isSelf = useSession()?._id === id
  const isFormer = isFormerMember(userName)
  const name = useNameOf()(userName)
  const label = (
    <>
      <Face src={imageUrl} />
      <b>{name}</b>
    </>
  )
  return (
    <li>
      {isFormer ? (
        <span className={styles.who}>{label}</span>
      ) : (
        <Link className={styles.who} to={to.profile(id)}>
          {label}
        </Link>
      )}
      {children}
      {!isSelf && (
        <Link
          className={classes(iconButtonStyles.iconBtn, styles.iconBtn)}
          to={chatAddress(person)}
          aria-label={t('chatWithPerson', { username: name })}
          title={t('chatWithPerson', { username: name })}
        >
          <Icon name="talk" />
        </Link>
      )}
    </li>
  )
}

function People() {
  const { people, page, search, nobody, contactsPage } = usePageData<typeof loader>()
  const { t } = useText()
  const waits = useSlowWait(to.userCenter())
  return (
    <section aria-labelledby="people">
      <h2 id="people">{t('userSearch')}</h2>
      <Form className={styles.seek} action={to.userCenter()} role="search" preventScrollReset>
        <label className="sr" htmlFor="person">
          {t('userSearchLabel')}
        </label>
        <TextInput
          key={search}
          id="person"
          name="search"
          type="search"
          maxLength={SEARCH_LENGTH}
          defaultValue={search}
          placeholder={t('userSearchLabel')}
          autoComplete="off"
        />
        <Button kind="main" type="submit" icon="search">
          {t('searchSubmit')}
        </Button>
      </Form>
      <p role="status" className="quiet">
        {nobody && t('userSearchNobody', { search })}
      </p>
      {waits ? (
        <RowSkeleton label={t('loadingPeople')} />
      ) : (
        <ul className={styles.persons}>
          {people.map((person) => (
            <PersonRow key={person.id} person={person} />
          ))}
        </ul>
      )}
      <TurnLinks
        page={page}
        more={people.length === ROWS_PER_PAGE}
        href={(next) =>
          to.userCenter({ search: nobody ? '' : search, page: next, contacts: contactsPage })
        }
      />
      {nobody && (
        <p>
          <ButtonLink as={Link} to={to.userCenter()}>
            {t('clear')}
          </ButtonLink>
        </p>
      )}
    </section>
  )
}
