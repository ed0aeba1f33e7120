import { PICTURE_EXTENSIONS } from '#contract/limits.ts'
import { settingOf, settings as calls, type SettingState } from '#contract/settings.ts'
import { ApiError } from '#web/core/api-error.ts'
import { api } from '#web/core/api.ts'
import { useSending } from '#web/core/form/use-sending.ts'
import { useText } from '#web/core/i18n.tsx'
import { useReload } from '#web/core/page.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/inputs/Field.tsx'
import { FileButton } from '#web/ui/inputs/FileButton.tsx'
import styles from './Settings.module.css'

const ACCEPT = PICTURE_EXTENSIONS.map((extension) => `.${extension}`).join(',')

interface LogoSettingProps {
  readonly state: SettingState
  readonly version: number
}

/** The logo is saved at once, because it is a file. */
export function LogoSetting({ state, version }: LogoSettingProps) {
  const { t, tp } = useText()
  const reload = useReload()
  const { failure, busy, send } = useSending((error) => tp(error.fields['image'] ?? error.message))
  const isFixed = state.source === 'environment'
  const save = (step: () => Promise<unknown>) =>
    send(async () => {
      try {
        await step()
      } catch (error) {
        if (error instanceof ApiError && error.status === 409) await reload()
        throw error
      }
      location.reload()
    })
  return (
    <Field
      group
      label={t('settingLogo')}
      help={t(isFixed ? 'settingsFixed' : settingOf('SITE_LOGO').help, { name: state.name })}
      error={failure?.text}
    >
      {(wiring) => (
        <div role="group" {...wiring} className={styles.logo} aria-busy={busy}>
          {state.text !== '' && <img src={state.text} alt={t('settingLogo')} />}
          {!isFixed && (
            <FileButton
              accept={ACCEPT}
              onFile={(image) => void save(() => api(calls.logo, { version, image }))}
            >
              {t('choosePicture')}
            </FileButton>
          )}
          {state.source === 'page' && (
            <Button
              icon="undo"
              onClick={() =>
                void save(() => api(calls.edit, { version, texts: { SITE_LOGO: '' } }))
              }
            >
              {t('settingLogoRemove')}
            </Button>
          )}
        </div>
      )}
    </Field>
  )
}
