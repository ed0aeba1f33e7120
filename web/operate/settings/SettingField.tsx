import {
  labelOf,
  settingOf,
  type SettingName,
  type SettingState,
  type SettingTexts,
} from '#contract/settings.ts'
import { type Door, DOORS } from '#contract/door.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import type { FormState } from '#web/core/form/form.ts'
import { useText } from '#web/core/i18n.tsx'
import { Field, type FieldWiring } from '#web/ui/inputs/Field.tsx'
import { Select } from '#web/ui/inputs/Select.tsx'
import { TextArea } from '#web/ui/inputs/TextArea.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'
import styles from './Settings.module.css'

interface SettingFieldProps {
  readonly state: SettingState
  readonly form: FormState<SettingTexts>
}

export function SettingField({ state, form }: SettingFieldProps) {
  const { t } = useText()
  const { name } = state
  return (
    <Field
      label={t(...labelOf(name))}
      help={<Help state={state} fallback={useFallback(name, form)} />}
      error={form.errorOf(name)}
    >
      {(wiring) => <Control wiring={wiring} state={state} form={form} />}
    </Field>
  )
}

/** The text that applies if the field is empty. */
function useFallback(name: SettingName, { form }: FormState<SettingTexts>): string {
  const { orElse, shown } = settingOf(name)
  const other = orElse === undefined ? '' : (form.watch(orElse) ?? '')
  return other === '' ? shown : other
}

function Help({ state, fallback }: { readonly state: SettingState; readonly fallback: string }) {
  const { t } = useText()
  const { name, source, rejected } = state
  const { kind, help } = settingOf(name)
  const isFixed = source === 'environment'
  return (
    <>
      {t(kind === 'door' ? 'settingDoorPageHelp' : help)}{' '}
      {isFixed ? (
        <b className={styles.note}>{t('settingsFixed', { name })}</b>
      ) : (
        !['words', 'tick', 'door'].includes(kind) &&
        fallback !== '' &&
        t('settingsDefault', { text: fallback })
      )}
      {rejected !== null && (
        <b className={styles.note}>{t('settingsRejected', { text: rejected })}</b>
      )}
    </>
  )
}

const DOOR_WORDS = {
  open: 'settingDoorOpen',
  invitation: 'settingDoorInvitation',
  domain: 'settingDoorDomain',
  closed: 'settingDoorClosed',
} as const satisfies Record<Door, MessageKey>

interface ControlProps extends SettingFieldProps {
  readonly wiring: FieldWiring
}

function Control({ wiring, state: { name, text, source }, form }: ControlProps) {
  const { t } = useText()
  const readOnly = source === 'environment'
  const field = readOnly ? { value: text, readOnly } : form.register(name)
  switch (settingOf(name).kind) {
    case 'tick':
      return (
        <Select {...wiring} {...field} disabled={readOnly}>
          <option value="">{t('settingsDefault', { text: t('settingNo') })}</option>
          <option value="1">{t('settingYes')}</option>
          <option value="0">{t('settingNo')}</option>
        </Select>
      )
    case 'door':
      return (
        <Select {...wiring} {...field} disabled={readOnly}>
          <option value="">{t('settingsDefault', { text: t(DOOR_WORDS.open) })}</option>
          {DOORS.map((door) => (
            <option key={door} value={door}>
              {t(DOOR_WORDS[door])}
            </option>
          ))}
        </Select>
      )
    case 'words':
      return <TextArea {...wiring} {...field} rows={3} dir="auto" />
    case 'number':
      return <TextInput {...wiring} {...field} inputMode="numeric" />
    case 'colour':
      return (
        <span className={styles.colour}>
          <TextInput {...wiring} {...field} spellCheck={false} />
          <input
            type="color"
            aria-label={t('settingPicker', { label: t(...labelOf(name)) })}
            disabled={readOnly}
            value={colourOf(form.form.watch(name), settingOf(name).shown)}
            onChange={({ target }) =>
              form.form.setValue(name, target.value, { shouldDirty: true, shouldValidate: true })
            }
          />
        </span>
      )
    default:
      return <TextInput {...wiring} {...field} dir="auto" />
  }
}

const colourOf = (text: string, fallback: string) => (/^#[\da-f]{6}$/i.test(text) ? text : fallback)
