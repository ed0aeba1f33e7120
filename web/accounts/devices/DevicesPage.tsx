import { lazy, Suspense, useState } from 'react'
import type { SignIn } from '#contract/sessions.ts'
import { DeviceLine } from '#web/accounts/devices/DeviceLine.tsx'
import { nameDevice } from '#web/accounts/devices/device-name.ts'
import type { loader } from '#web/accounts/devices/DevicesPage.data.ts'
import { useHeadingFocus } from '#web/accounts/lines/heading-focus.ts'
import { SignOutEverywhere } from '#web/accounts/settings/SignOutEverywhere.tsx'
import { useText } from '#web/core/i18n.tsx'
import { usePageData, useReload } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/accounts/lines/Lines.module.css'

const EndDeviceDialog = lazy(async () => {
  const file = await import('#web/accounts/devices/EndDeviceDialog.tsx')
  return { default: file.EndDeviceDialog }
})

/** Where one is signed in: this device, the others, each signed out by itself or all others at once. */
export default function DevicesPage() {
  const { devices } = usePageData<typeof loader>()
  const { t } = useText()
  const reload = useReload()
  const { heading, focusHeading } = useHeadingFocus()
  const [asked, setAsked] = useState<SignIn | null>(null)
  const others = devices.filter(({ here }) => !here)
  return (
    <div className={styles.linePage}>
      <div>
        <p className={styles.back}>
          <Link to={to.account()}>{t('accountTitle')}</Link>
        </p>
        <h1 ref={heading} tabIndex={-1}>
          {t('devicesTitle')}
        </h1>
        <p className="quiet">{t('devicesLead')}</p>
      </div>
      <div>
        <ul className={styles.ownLines} aria-label={t('devicesTitle')}>
          {devices.map((device) => (
            <DeviceLine key={device.id} device={device}>
              {device.here ? (
                <ButtonLink as={Link} kind="bare" icon="out" to={to.logout()}>
                  {t('devicesHereOut')}
                </ButtonLink>
              ) : (
                <Button
                  kind="bare"
                  icon="out"
                  aria-haspopup="dialog"
                  aria-label={t('devicesEndOf', { device: nameDevice(device, t) })}
                  onClick={() => setAsked(device)}
                >
                  {t('devicesEnd')}
                </Button>
              )}
            </DeviceLine>
          ))}
        </ul>
        {others.length === 0 && (
          <p className={classes('quiet', styles.ownNote)}>{t('devicesOnlyThis')}</p>
        )}
        <p className={classes('small quiet', styles.ownNote)}>{t('devicesPrivacy')}</p>
      </div>
      {others.length > 0 && <SignOutEverywhere onDone={() => void reload()} />}
      <Suspense>
        {asked !== null && (
          <EndDeviceDialog
            device={asked}
            onClose={() => setAsked(null)}
            onEnded={() => {
              setAsked(null)
              void reload()
              focusHeading()
            }}
          />
        )}
      </Suspense>
    </div>
  )
}
