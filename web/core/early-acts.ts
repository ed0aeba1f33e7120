/** What people do before the script comes that answers them: noted in the page, done again when it lives. */

declare global {
  interface Window {
    /** The button that was pressed last before hydration, or that sent a form; null for none, gone once the page lives. */
    earlyPress?: HTMLButtonElement | null
    /** What was typed into fields before hydration. */
    earlyText?: Map<EventTarget, string>
  }
}

/**
 * Runs in the head. Notes what is typed, and the last press of a button that needs the script: popovers open by
 * themselves, and a form with an `action` is sent by the browser. Any other form waits: sent by the browser it would
 * lead to nothing and lose what was typed. The server hashes this text for its policy; it must not depend on data.
 */
export const earlyActsScript =
  'earlyPress=null;earlyText=new Map;document.onclick=function(e){' +
  "if((e=e.target.closest('button'))&&e.type=='button'&&!e.popoverTargetElement)earlyPress=e};" +
  'document.onsubmit=function(e){if(!e.defaultPrevented&&!e.target.hasAttribute("action")){' +
  'e.preventDefault();earlyPress=e.submitter}};' +
  'document.oninput=function(e){earlyText.set(e.target,e.target.value)}'

interface Selection {
  readonly field: TextField
  /** What the field held then: a selection in another text means nothing. */
  readonly value: string
  /** First and last position. Fields of some types, such as e-mail addresses, tell only whether it is all of it. */
  readonly range: readonly [number, number] | 'all' | 'unknown'
}

type TextField = HTMLInputElement | HTMLTextAreaElement

let earlySelection: Selection | undefined

/**
 * Stops noting presses. To be called at the very moment that React begins to listen: it answers all later ones. Forms
 * are held until they are hydrated.
 */
export function stopNotingPresses(): void {
  document.onclick = null
}

/** Notes what is selected. To be called just before fields come to life and take their values, which unselects it. */
export function noteSelection(): void {
  earlySelection = selectionIn(document.activeElement)
}

/**
 * Types what was noted again, selects what was selected and presses the noted button again, once. To be called when the
 * page is hydrated. A button that has left the page meanwhile, or is disabled by now, is left alone.
 */
export function actAgain(): void {
  document.oninput = null
  document.onsubmit = null
  const { earlyPress, earlyText } = window
  delete window.earlyPress
  delete window.earlyText
  const selection = selectionToRestore(earlyText)
  // Forms that read what the browser has stored are made again right after hydration, in this same task: whoever types
  // on finds the new field under the caret.
  queueMicrotask(() => {
    for (const [field, text] of earlyText ?? []) typeAgain(field, text)
    if (selection !== undefined) selectAgain(selection)
  })
  // A button that sends a form waits until React has rendered what was typed.
  setTimeout(() => {
    if (earlyPress?.isConnected === true && !earlyPress.disabled) earlyPress.click()
  })
}

/**
 * Fields are given their first values when they come to life, or are made again, and what was typed before is gone
 * from them. React takes a change for one only when the value differs from the last that it knows, so it is given
 * another first.
 */
function typeAgain(typedInto: EventTarget, text: string): void {
  const field = fieldOf(typedInto)
  if (field === undefined) return
  field.value = text === '' ? '-' : ''
  // Past the setter by which React learns what it has set itself.
  Reflect.set(Object.getPrototypeOf(field) as object, 'value', text, field)
  field.dispatchEvent(new InputEvent('input', { bubbles: true }))
}

/** The early one, unless the person has gone on in another field or with other text since. */
function selectionToRestore(typed: Window['earlyText']): Selection | undefined {
  const now = selectionIn(document.activeElement)
  if (now === undefined || now.field !== earlySelection?.field) return now
  return (typed?.get(now.field) ?? now.value) === earlySelection.value ? earlySelection : now
}

/** Focuses the field, or the one made in its place, with the selection or the caret that it had. */
function selectAgain({ field: selectedIn, value, range }: Selection): void {
  const field = fieldOf(selectedIn)
  if (field === undefined) return
  if (field !== selectedIn) field.focus({ preventScroll: true })
  if (field.value !== value) return
  if (range === 'all') field.select()
  else if (range !== 'unknown') field.setSelectionRange(...range)
}

/** What is selected in an element that has the focus, if that is a field of text. */
function selectionIn(field: Element | null): Selection | undefined {
  if (field === null || !isText(field)) return undefined
  const { value, selectionStart, selectionEnd } = field
  if (selectionStart !== null && selectionEnd !== null)
    return { field, value, range: [selectionStart, selectionEnd] }
  const isAll = value !== '' && String(getSelection()) === value
  return { field, value, range: isAll ? 'all' : 'unknown' }
}

/** The field itself, or the one that was made in its place. */
function fieldOf(target: EventTarget): TextField | undefined {
  if (!isText(target)) return undefined
  return target.isConnected ? target : [...document.getElementsByName(target.name)].find(isText)
}

function isText(target: EventTarget): target is TextField {
  if (target instanceof HTMLTextAreaElement) return true
  return target instanceof HTMLInputElement && !/^(?:checkbox|radio|file)$/.test(target.type)
}
