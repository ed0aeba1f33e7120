import { useRef, useState } from 'react'
import { sessions, type SignIn } from '#contract/sessions.ts'
import { nameDevice } from '#web/people/accounts/devices/device-name.ts'
import type { loader } from '#web/people/accounts/devices/DevicesPage.data.ts'
import { SettingsLine } from '#web/people/accounts/settings/SettingsLine.tsx'
import { SettingsPage } from '#web/people/accounts/settings/SettingsPage.tsx'
import { SignOutEverywhere } from '#web/people/accounts/settings/SignOutEverywhere.tsx'
import { api } from '#web/core/api.ts'
import { passIfGone } from '#web/core/api-error.ts'
import { ConfirmDialog } from '#web/core/form/ConfirmDialog.tsx'
import { Rich, useText } from '#web/core/i18n.tsx'
import { usePageData, useReload } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { Time } from '#web/core/time/Time.tsx'
import { toast } from '#web/core/toast.ts'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/people/accounts/settings/Lines.module.css'

export default function DevicesPage() {
  const { devices } = usePageData<typeof loader>()
  const { t } = useText()
  const reload = useReload()
  const heading = useRef<HTMLHeadingElement>(null)
  const [asked, setAsked] = useState<SignIn | null>(null)
  const others = devices.filter(({ here }) => !here)
  return (
    <SettingsPage title={t('devicesTitle')} lead={t('devicesLead')} heading={heading}>
      <div>
        <ul className={styles.ownLines} aria-label={t('devicesTitle')}>
          {devices.map((device) => (
            <DeviceLine key={device.id} device={device} onEnd={() => setAsked(device)} />
          ))}
        </ul>
        {others.length === 0 && (
          <p className={classes('quiet', styles.ownNote)}>{t('devicesOnlyThis')}</p>
        )}
        <p className={classes('small quiet', styles.ownNote)}>{t('devicesPrivacy')}</p>
      </div>
      {others.length > 0 && <SignOutEverywhere onDone={() => void reload()} />}
      {asked !== null && (
        <ConfirmDialog
          onClose={() => setAsked(null)}
          title={t('devicesEndAsk', { device: nameDevice(asked, t) })}
          step={{ label: t('devicesEnd'), kind: 'risk', icon: 'out' }}
          act={() => api(sessions.end, { id: asked.id }).catch(passIfGone)}
          onDone={() => {
            toast(t('devicesEndDone', { device: nameDevice(asked, t) }))
            heading.current?.focus()
            void reload()
          }}
        >
          <p>{t('devicesEndWhat')}</p>
        </ConfirmDialog>
      )}
    </SettingsPage>
  )
}

interface DeviceLineProps {
  readonly device: SignIn
  readonly onEnd: () => void
}

function DeviceLine({ device, onEnd }: DeviceLineProps) {
  const { t } = useText()
  const name = nameDevice(device, t)
  return (
    <SettingsLine
      name={name}
      mark={device.here ? t('devicesHere') : undefined}
      facts={
        <>
          <span>
            <Rich
              id="devicesSeen"
              components={{ date: <Time date={device.seen} form="moment" /> }}
            />
          </span>
          <span>
            <Rich
              id="devicesSince"
              components={{ date: <Time date={device.date} form="moment" /> }}
            />
          </span>
        </>
      }
    >
      {device.here ? (
        <ButtonLink as={Link} kind="bare" icon="out" to={to.logout()}>
          {t('devicesHereOut')}
        </ButtonLink>
      ) : (
        <Button
          kind="bare"
          icon="out"
          aria-haspopup="dialog"
          aria-label={t('devicesEndOf', { device: name })}
          onClick={onEnd}
        >
          {t('devicesEnd')}
        </Button>
      )}
    </SettingsLine>
  )
}
