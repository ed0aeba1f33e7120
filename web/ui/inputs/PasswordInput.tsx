import { type ComponentProps, useState } from 'react'
import { IconButton } from '#web/ui/IconButton.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'
import styles from './Field.module.css'

interface PasswordInputProps extends Omit<ComponentProps<'input'>, 'type'> {
  readonly showLabel: string
  readonly hideLabel: string
}

/** Can show the password while it is typed, which prevents mistakes. */
export function PasswordInput({ showLabel, hideLabel, ...rest }: PasswordInputProps) {
  const [shown, setShown] = useState(false)
  return (
    <div className={styles.withEye}>
      <TextInput
        autoCapitalize="off"
        spellCheck={false}
        {...rest}
        type={shown ? 'text' : 'password'}
      />
      <IconButton
        icon={shown ? 'eye-off' : 'eye'}
        label={shown ? hideLabel : showLabel}
        onClick={() => setShown(!shown)}
      />
    </div>
  )
}
