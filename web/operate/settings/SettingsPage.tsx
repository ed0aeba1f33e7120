import { useEffect } from 'react'
import type { MessageKey } from '#contract/messages/messages.ts'
import {
  labelOf,
  SETTING_NAMES,
  settingOf,
  settings as calls,
  SettingsForm,
  type SettingName,
  type SettingState,
  type SettingTexts,
} from '#contract/settings.ts'
import { ApiError } from '#web/core/api-error.ts'
import { api } from '#web/core/api.ts'
import { useAppForm } from '#web/core/form/form.ts'
import { FormAlert } from '#web/core/form/FormAlert.tsx'
import { SubmitButton } from '#web/core/form/SubmitButton.tsx'
import { useText } from '#web/core/i18n.tsx'
import { usePageData, useReload } from '#web/core/page.ts'
import { toast } from '#web/core/toast.ts'
import { DeskPage } from '#web/operate/desk/DeskPage.tsx'
import { LogoSetting } from '#web/operate/settings/LogoSetting.tsx'
import { SettingField } from '#web/operate/settings/SettingField.tsx'
import type { loader } from '#web/operate/settings/SettingsPage.data.ts'
import { classes } from '#web/ui/classes.ts'
import formStyles from '#web/ui/inputs/Form.module.css'
import styles from './Settings.module.css'

type Section = ReturnType<typeof settingOf>['section']

const SECTIONS = {
  site: 'settingsSite',
  door: 'settingsDoor',
  points: 'economyPoints',
  titles: 'settingsTitles',
} as const satisfies Record<Section, MessageKey>

/** What is saved. The form holds texts, an empty one for the default. */
const textsOf = (states: readonly SettingState[]): SettingTexts => {
  const texts = Object.fromEntries(SETTING_NAMES.map((name) => [name, ''])) as SettingTexts
  // The logo is saved by its own call.
  for (const { name, text } of states) if (name !== 'SITE_LOGO') texts[name] = text
  return texts
}

export default function SettingsPage() {
  const { version, settings, counts } = usePageData<typeof loader>()
  const { t } = useText()
  const reload = useReload()
  const saved = textsOf(settings)
  const f = useAppForm<SettingTexts>({
    schema: SettingsForm,
    defaults: saved,
    labels: Object.fromEntries(SETTING_NAMES.map((name) => [name, t(...labelOf(name))])),
    required: [],
    send: async (entered) => {
      const changed = SETTING_NAMES.filter((name) => entered[name] !== saved[name])
      if (changed.length === 0) return toast(t('settingsSame'))
      const texts = Object.fromEntries(changed.map((name) => [name, entered[name]]))
      try {
        await api(calls.edit, { version, texts })
      } catch (error) {
        // Shows what others have saved; what was entered here stays.
        if (error instanceof ApiError && error.status === 409) await reload()
        throw error
      }
      toast(t('settingsSaved'))
      await reload()
      // The name and the colours come with the document.
      if (changed.some((name) => settingOf(name).section === 'site')) location.reload()
    },
  })
  const { form } = f
  useEffect(() => {
    form.reset(textsOf(settings), { keepDirtyValues: true })
  }, [form, settings, version])
  const stateOf = (name: SettingName) => settings.find((state) => state.name === name)
  return (
    <DeskPage here="settings" title={t('deskSettings')} counts={counts}>
      <p className={classes('quiet', styles.lead)}>{t('settingsLead')}</p>
      <form
        className={classes(formStyles.form, styles.form)}
        onSubmit={(event) => void f.onSubmit(event)}
        noValidate
      >
        {Object.entries(SECTIONS).map(([section, heading]) => (
          <section key={section} aria-labelledby={`settings-${section}`}>
            <h2 id={`settings-${section}`}>{t(heading)}</h2>
            <div className={styles.fields}>
              {SETTING_NAMES.filter((name) => settingOf(name).section === section).map((name) => {
                const state = stateOf(name)
                if (state === undefined) return null
                return name === 'SITE_LOGO' ? (
                  <LogoSetting key={name} state={state} version={version} />
                ) : (
                  <SettingField key={name} state={state} form={f} />
                )
              })}
            </div>
          </section>
        ))}
        <div className={formStyles.submit}>
          <FormAlert alert={f.alert} />
          <SubmitButton form={f}>{t('noticeWaysSave')}</SubmitButton>
        </div>
      </form>
    </DeskPage>
  )
}
