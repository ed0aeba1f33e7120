import type { BugReport } from '#contract/mail.ts'
import { useText } from '#web/core/i18n.tsx'
import { useNameOf } from '#web/core/PersonName.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { Time } from '#web/core/time/Time.tsx'
import { DeskPerson } from '#web/moderation/desk/DeskPerson.tsx'
import { DeskCell, DeskRow } from '#web/moderation/desk/DeskTable.tsx'
import { Button } from '#web/ui/Button.tsx'
import styles from './Bugs.module.css'
import deskStyles from '#web/moderation/desk/Desk.module.css'

interface BugRowProps {
  readonly bug: BugReport
  readonly busy: boolean
  readonly onTurn: (bug: BugReport, button: HTMLButtonElement) => void
}

/** A reported problem in full: topic, text, who reported it, and whether it is done. */
export function BugRow({ bug, busy, onTurn }: BugRowProps) {
  const { t } = useText()
  const nameOf = useNameOf()
  const { topic, text, senderEmail, user, userName, profilePicture, date, done } = bug
  return (
    <DeskRow>
      <DeskCell kind="what">
        <div className={styles.problem} lang={textLanguage(topic + text)} dir="auto">
          <h2>{topic}</h2>
          <p>{text}</p>
        </div>
      </DeskCell>
      <DeskCell>
        {user === null ? (
          <span className="quiet">{t('bugsGuest')}</span>
        ) : (
          <DeskPerson
            person={{ id: user, userName: userName ?? '', imageUrl: profilePicture ?? '' }}
          />
        )}
        {senderEmail !== '' && (
          <a className={styles.problemAddress} href={`mailto:${senderEmail}`}>
            {senderEmail}
          </a>
        )}
      </DeskCell>
      <DeskCell>
        <Time date={date} form="moment" />
        {done !== null && (
          <p className={deskStyles.goneSince}>
            {t('bugsDoneBy', { username: nameOf(done.userName) })}
            <br />
            <Time date={done.date} form="moment" />
          </p>
        )}
      </DeskCell>
      <DeskCell kind="acts">
        <Button
          icon={done === null ? 'check' : 'undo'}
          aria-label={`${t(done === null ? 'bugsFinish' : 'bugsReopen')}: ${topic}`}
          busy={busy}
          onClick={(event) => onTurn(bug, event.currentTarget)}
        >
          {t(done === null ? 'bugsFinish' : 'bugsReopen')}
        </Button>
      </DeskCell>
    </DeskRow>
  )
}
