import type { Theme } from '#web/ui/theme/ThemeSwitch.tsx'

const KEY = 'theme'

/** What was chosen in this browser; the head's script has already shown it. */
export function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(KEY)
    return stored === 'light' || stored === 'dark' ? stored : 'system'
  } catch {
    return 'system'
  }
}

/** Shows a theme at once and stores the choice in this browser. `system` follows the machine's setting. */
export function applyTheme(theme: Theme): void {
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset['theme']
  else dataset['theme'] = theme
  try {
    if (theme === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, theme)
  } catch {
    // Not remembered, but shown.
  }
}
