/** Controls that can be filled in or pressed. A file input is hidden behind a button, so it is excluded. */
export const CONTROLS =
  'input:not([type=file], [type=hidden]), select, textarea, button, [contenteditable]'

/** Finds a compound field by `data-field` on its wrapper (see `Field`), and a plain one by its control's name. */
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
