import type { I18n } from '@lingui/core'
import type { ReactNode } from 'react'
import type { Person, RefusedForm, Settings } from '#contract/render.ts'
import { RefusedContext } from '#web/core/form/refused.ts'
import { TextProvider } from '#web/core/i18n.tsx'
import { FirstPerson } from '#web/core/session.ts'
import { SettingsContext } from '#web/core/settings.ts'
import { SetI18n } from '#web/layout/header/locale-switch.ts'
import { PictureOrigin } from '#web/ui/picture-origin.ts'

interface ProvidersProps {
  readonly i18n: I18n
  readonly setI18n: (i18n: I18n) => void
  readonly person: Person | null
  readonly settings: Settings
  readonly refused: RefusedForm | null
  readonly children: ReactNode
}

/** The contexts of every page, the same on the server and in the browser. */
export function Providers(props: ProvidersProps) {
  const { i18n, setI18n, person, settings, refused, children } = props
  return (
    <SettingsContext value={settings}>
      <FirstPerson value={person}>
        <SetI18n value={setI18n}>
          <RefusedContext value={refused}>
            <PictureOrigin value={settings.pictureOrigin ?? ''}>
              <TextProvider i18n={i18n}>{children}</TextProvider>
            </PictureOrigin>
          </RefusedContext>
        </SetI18n>
      </FirstPerson>
    </SettingsContext>
  )
}
