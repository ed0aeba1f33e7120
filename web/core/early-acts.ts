/** What people do before the script comes that answers them: noted in the page, done again when it lives. */

declare global {
  interface Window {
    /** The button that was pressed last before hydration, or null; gone once the page lives. */
    earlyPress?: HTMLButtonElement | null
    /** What was typed into fields before hydration. */
    earlyText?: Map<EventTarget, string>
  }
}

/**
 * Runs in the head. Notes the last press of a button that does nothing without script (submits and popovers work by
 * themselves) and what is typed. The server hashes this text for its policy; it must not depend on data.
 */
export const earlyActsScript =
  'earlyPress=null;earlyText=new Map;document.onclick=function(e){' +
  "if((e=e.target.closest('button'))&&e.type=='button'&&!e.popoverTargetElement)earlyPress=e};" +
  'document.oninput=function(e){earlyText.set(e.target,e.target.value)}'

/** Stops noting presses. To be called at the very moment that React begins to listen: it answers all later ones. */
export function stopNotingPresses(): void {
  document.onclick = null
}

/**
 * Types what was noted again and presses the noted button again, once. To be called when the page is hydrated. A button
 * that has left the page meanwhile, or is disabled by now, is left alone.
 */
export function actAgain(): void {
  document.oninput = null
  const { earlyPress, earlyText } = window
  delete window.earlyPress
  delete window.earlyText
  const focused = document.activeElement
  // Forms that read what the browser has stored are made again right after hydration, in this same task: whoever types
  // on finds the new field under the caret.
  queueMicrotask(() => {
    for (const [field, text] of earlyText ?? []) typeAgain(field, text)
    if (focused !== null && !focused.isConnected) focusAgain(focused)
  })
  if (earlyPress?.isConnected === true && !earlyPress.disabled) earlyPress.click()
}

/**
 * Fields are given their first values when they come to life, or are made again, and what was typed before is gone
 * from them. React takes a change for one only when the value differs from the last that it knows, so it is emptied
 * first.
 */
function typeAgain(typedInto: EventTarget, text: string): void {
  const field = fieldOf(typedInto)
  if (field === undefined || text === '') return
  field.value = ''
  // Past the setter by which React learns what it has set itself.
  Reflect.set(Object.getPrototypeOf(field) as object, 'value', text, field)
  field.dispatchEvent(new InputEvent('input', { bubbles: true }))
}

/** With the caret where it was in the field that is gone. */
function focusAgain(gone: Element): void {
  const field = fieldOf(gone)
  if (field === undefined || !isText(gone)) return
  field.focus({ preventScroll: true })
  // Fields of some types, such as addresses of mail, tell no caret.
  if (gone.selectionStart !== null && field.selectionStart !== null)
    field.setSelectionRange(gone.selectionStart, gone.selectionEnd)
}

/** The field itself, or the one that was made in its place. */
function fieldOf(target: EventTarget): HTMLInputElement | HTMLTextAreaElement | undefined {
  if (!isText(target)) return undefined
  return target.isConnected ? target : [...document.getElementsByName(target.name)].find(isText)
}

function isText(target: EventTarget): target is HTMLInputElement | HTMLTextAreaElement {
  if (target instanceof HTMLTextAreaElement) return true
  return target instanceof HTMLInputElement && !/^(?:checkbox|radio|file)$/.test(target.type)
}
