import { useState } from 'react'
import { appeals, type DeskAppeal } from '#contract/appeals.ts'
import { api } from '#web/core/api.ts'
import { ConfirmDialog } from '#web/core/form/ConfirmDialog.tsx'
import { useText } from '#web/core/i18n.tsx'
import { useReload } from '#web/core/page.ts'
import { useNameOf } from '#web/core/PersonName.tsx'
import { Quoted } from '#web/core/Quoted.tsx'
import { Time } from '#web/core/time/Time.tsx'
import { toast } from '#web/core/toast.ts'
import { ACT_WORDS } from '#web/operate/appeals/act-words.ts'
import { Statement } from '#web/operate/appeals/Statement.tsx'
import { DeskPerson } from '#web/operate/desk/DeskPerson.tsx'
import { Button } from '#web/ui/Button.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/operate/desk/Desk.module.css'

interface AppealProps {
  readonly appeal: DeskAppeal
}

export function AppealLine({ appeal }: AppealProps) {
  const { t } = useText()
  const { id, act, person, actor, decided } = appeal
  return (
    <li>
      <article
        className={classes(styles.flag, decided !== null && styles.done)}
        aria-labelledby={`appeal-${id}`}
      >
        <div className={styles.says}>
          <h2 id={`appeal-${id}`}>{t(ACT_WORDS[act.action].what)}</h2>
          <Quoted text={appeal.text} />
          <div className="row small">
            <DeskPerson person={person} />
            <span className="quiet">
              <Time date={appeal.date} form="moment" />
            </span>
          </div>
        </div>
        <div>
          <Statement act={act} />
          <div className="row small">
            {actor !== null && <DeskPerson person={actor} />}
            <span className="quiet">
              <Time date={act.date} form="moment" />
            </span>
          </div>
        </div>
        <div className={classes('acts', styles.acts)}>
          {decided === null ? <Decision appeal={appeal} /> : <Decided appeal={appeal} />}
        </div>
      </article>
    </li>
  )
}

function Decision({ appeal: { id, act, person } }: AppealProps) {
  const { t } = useText()
  const reload = useReload()
  const [asked, setAsked] = useState<'grant' | 'decline' | null>(null)
  const username = useNameOf()(person.userName)
  const granted = asked === 'grant'
  const step = t(granted ? 'appealGrant' : 'appealDecline')
  return (
    <>
      <Button
        icon="check"
        aria-haspopup="dialog"
        aria-describedby={`appeal-${id}`}
        onClick={() => setAsked('grant')}
      >
        {t('appealGrant')}
      </Button>
      <Button
        icon="no"
        aria-haspopup="dialog"
        aria-describedby={`appeal-${id}`}
        onClick={() => setAsked('decline')}
      >
        {t('appealDecline')}
      </Button>
      {asked !== null && (
        <ConfirmDialog
          onClose={() => setAsked(null)}
          title={`${step}: ${username}`}
          step={{
            label: step,
            kind: 'main',
            icon: granted ? 'check' : 'no',
          }}
          question={{ label: t('appealReason') }}
          act={(text) => api(appeals.decide, { id, granted, text })}
          onDone={() => {
            toast(t('appealDone', { username }))
            void reload()
          }}
        >
          <p>
            {t(ACT_WORDS[act.action].what)} {t(granted ? 'appealGrantWhat' : 'appealDeclineWhat')}
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}

function Decided({ appeal: { decided, decider } }: AppealProps) {
  const { t } = useText()
  if (decided === null) return null
  return (
    <div>
      <p>
        <b>{t(decided.granted ? 'appealGrantedShort' : 'appealDeclinedShort')}</b>
      </p>
      <p>{t('pointsReason', { reason: decided.text })}</p>
      <div className="row small">
        {decider !== null && <DeskPerson person={decider} />}
        <span className="quiet">
          <Time date={decided.date} form="moment" />
        </span>
      </div>
    </div>
  )
}
