/** `system` sets no attribute on <html> and follows the operating system. */
export type Theme = 'system' | 'light' | 'dark'

interface ThemeSwitchProps {
  readonly legend: string
  readonly options: readonly { readonly value: Theme; readonly label: string }[]
  readonly value: Theme
  readonly onChange: (theme: Theme) => void
}

/** The tokens follow the checked radio button even before hydration. */
export function ThemeSwitch({ legend, options, value, onChange }: ThemeSwitchProps) {
  return (
    <fieldset>
      <legend className="sr">{legend}</legend>
      <div>
        {options.map((option) => (
          <label key={option.value}>
            <input
              type="radio"
              name="theme"
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
