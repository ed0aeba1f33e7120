/** Where the focus goes when somebody asks for a field by its name. */

/** What can be filled in or pressed; a hidden file input is neither. */
export const CONTROLS =
  'input:not([type=file], [type=hidden]), select, textarea, button, [contenteditable]'

/**
 * Moves the focus to the field of that name in the form (or dialog) round `from`. A field made of several controls
 * says its name on its frame (`Field name`), a plain one is found by its control's.
 */
export function focusField(from: Element, field: string): void {
  const form = from.closest('form, dialog')
  const name = CSS.escape(field)
  const frame = form?.querySelector<HTMLElement>(`[data-field="${name}"]`)
  const control =
    frame?.querySelector<HTMLElement>('[aria-invalid=true]') ??
    frame?.querySelector<HTMLElement>(CONTROLS) ??
    frame
  const target = control ?? form?.querySelector<HTMLElement>(`[name="${name}"]`)
  target?.focus()
}
