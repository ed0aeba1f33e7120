import { type FormEvent, useState } from 'react'
import { KIND_WORDS } from '#contract/notice-words.ts'
import { notices, type NoticeChoice } from '#contract/notices.ts'
import { ApiError } from '#web/core/api-error.ts'
import { api } from '#web/core/api.ts'
import { FormAlert } from '#web/core/form/FormAlert.tsx'
import { useText } from '#web/core/i18n.tsx'
import { usePageData, useReload } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { useSession } from '#web/core/session.ts'
import { toast } from '#web/core/toast.ts'
import type { loader } from '#web/community/notices/NoticeWaysPage.data.ts'
import { browserZone, ZoneField } from '#web/community/notices/ZoneField.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/inputs/Checkbox.tsx'
import { Select } from '#web/ui/inputs/Select.tsx'
import styles from './Notices.module.css'
import blockedLineStyles from '#web/items/flags/BlockedLine.module.css'

export default function NoticeWaysPage() {
  const { choices, zone, zoneChosen, confirmed, mails } = usePageData<typeof loader>()
  const { t } = useText()
  return (
    <div className={styles.told}>
      <div className={styles.intro}>
        <p className="small">
          <Link to={to.notices()}>{t('noticesTitle')}</Link>
        </p>
        <h1>{t('noticeWaysTitle')}</h1>
        <p className="quiet">{t('noticeWaysWhat')}</p>
        {!mails && (
          <p className={blockedLineStyles.blockedLine}>
            <Link to={to.account()}>{t('noticeWaysOff')}</Link>
          </p>
        )}
        {mails && !confirmed && (
          <p className={blockedLineStyles.blockedLine}>
            <Link to={to.account()}>{t('noticeWaysUnconfirmed')}</Link>
          </p>
        )}
      </div>
      <Ways choices={choices} zone={zone} zoneChosen={zoneChosen} />
    </div>
  )
}

interface WaysProps {
  readonly choices: readonly NoticeChoice[]
  readonly zone: string
  readonly zoneChosen: boolean
}

function Ways({ choices, zone, zoneChosen }: WaysProps) {
  const { t } = useText()
  const reload = useReload()
  const isSuspended = useSession()?.suspended === true
  const [wanted, setWanted] = useState(choices)
  const chosenZone = zoneChosen ? zone : null
  const [wantedZone, setWantedZone] = useState(chosenZone)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<{ text: string; status: number } | null>(null)
  const change = (given: NoticeChoice) =>
    setWanted((old) => old.map((one) => (one.kind === given.kind ? given : one)))
  const isZoneChanged = wantedZone !== chosenZone
  const isChanged =
    isZoneChanged ||
    wanted.some((one, place) => {
      const before = choices[place]
      return one.shown !== before?.shown || one.mail !== before.mail
    })

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault()
    setBusy(true)
    setFailure(null)
    try {
      await api(notices.choose, {
        choices: [...wanted],
        ...(isZoneChanged && { zone: wantedZone, browserZone: browserZone() }),
      })
      toast(t('noticeWaysSaved'))
      await reload()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setFailure({ text: error.message, status: error.status })
    } finally {
      setBusy(false)
    }
  }

  return (
    <form className={styles.noticeWays} onSubmit={(event) => void save(event)}>
      <FormAlert alert={failure} />
      <ZoneField value={wantedZone} known={zone} onChange={setWantedZone} />
      <table>
        <thead>
          <tr>
            <th scope="col">{t('noticeWaysKind')}</th>
            <th scope="col">{t('noticeWaysShown')}</th>
            <th scope="col">{t('noticeWaysMail')}</th>
          </tr>
        </thead>
        <tbody>
          {wanted.map((choice) => (
            <Way key={choice.kind} choice={choice} onChange={change} />
          ))}
        </tbody>
      </table>
      {isSuspended ? (
        <Alert heading={t('error')}>{t('suspended')}</Alert>
      ) : (
        <div className="row">
          <Button type="submit" kind="main" busy={busy} disabled={!isChanged}>
            {t('noticeWaysSave')}
          </Button>
        </div>
      )}
    </form>
  )
}

interface WayProps {
  readonly choice: NoticeChoice
  readonly onChange: (choice: NoticeChoice) => void
}

function Way({ choice, onChange }: WayProps) {
  const { t } = useText()
  const kind = t(KIND_WORDS[choice.kind])
  return (
    <tr>
      <th scope="row">{kind}</th>
      <td data-label={t('noticeWaysShown')}>
        <Checkbox
          bare
          checked={choice.shown}
          onChange={(event) => onChange({ ...choice, shown: event.target.checked })}
        >
          {t('noticeWaysShownOf', { kind })}
        </Checkbox>
      </td>
      <td data-label={t('noticeWaysMail')}>
        <Select
          aria-label={t('noticeWaysMailOf', { kind })}
          value={choice.mail}
          onChange={({ target: { value } }) =>
            onChange({ ...choice, mail: value === 'once' || value === 'digest' ? value : 'none' })
          }
        >
          <option value="none">{t('noticeMailNone')}</option>
          <option value="digest">{t('noticeMailDigest')}</option>
          <option value="once">{t('noticeMailOnce')}</option>
        </Select>
      </td>
    </tr>
  )
}
