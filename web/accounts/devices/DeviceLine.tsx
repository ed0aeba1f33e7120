import type { ReactNode } from 'react'
import type { SignIn } from '#contract/sessions.ts'
import { nameDevice } from '#web/accounts/devices/device-name.ts'
import { Rich, useText } from '#web/core/i18n.tsx'
import { Time } from '#web/core/time/Time.tsx'
import styles from '#web/accounts/lines/Lines.module.css'

interface DeviceLineProps {
  readonly device: SignIn
  /** How it is signed out. */
  readonly children: ReactNode
}

/** A device of the list, in words, with its times. */
export function DeviceLine({ device, children }: DeviceLineProps) {
  const { t } = useText()
  return (
    <li>
      <div>
        <p>
          <b>{nameDevice(device, t)}</b>
          {device.here && <span className={styles.ownMark}>{t('devicesHere')}</span>}
        </p>
        <p className={styles.words}>
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
        </p>
      </div>
      {children}
    </li>
  )
}
