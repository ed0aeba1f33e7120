import type { loader } from '#web/community/chat/ChatPage.data.ts'
import { ChatRoom } from '#web/community/chat/room/ChatRoom.tsx'
import { ContactList } from '#web/community/chat/ContactList.tsx'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { useSession } from '#web/core/session.ts'
import { useSlowWait } from '#web/core/router/slow-wait.ts'
import { RowSkeleton } from '#web/ui/Skeleton.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { classes } from '#web/ui/classes.ts'
import { Empty } from '#web/ui/Empty.tsx'
import styles from './Chat.module.css'

export default function ChatPage() {
  const { contacts, talk, isSelf } = usePageData<typeof loader>()
  const { t } = useText()
  const me = useSession()
  const waits = useSlowWait(to.chat())
  const isOpen = talk !== null || isSelf
  return (
    <div className={classes(styles.chat, isOpen && styles.open)}>
      {!isOpen && <h1 className="sr">{t('chatTitle')}</h1>}
      <ContactList contacts={contacts} current={talk?.other.id} />
      {waits && (
        <div className={styles.room}>
          <RowSkeleton label={t('loadingMessages')} />
        </div>
      )}
      {!waits && talk !== null && me !== null && (
        // The key remounts the room for another person, so that no state carries over.
        <ChatRoom key={`${me._id} ${talk.other.id}`} me={me} talk={talk} />
      )}
      {!waits && talk === null && (
        <div className={styles.room}>
          <Nobody isSelf={isSelf} />
        </div>
      )}
    </div>
  )
}

function Nobody({ isSelf }: { readonly isSelf: boolean }) {
  const { t } = useText()
  return (
    <Empty
      className={styles.choose}
      drawing="talk"
      as={isSelf ? 'h1' : 'h2'}
      title={t(isSelf ? 'messageToOneself' : 'chatChoose')}
      step={
        <ButtonLink as={Link} kind="main" icon="search" to={to.userCenter()}>
          {t('findPerson')}
        </ButtonLink>
      }
    >
      {t('chatChooseStep')}
    </Empty>
  )
}
