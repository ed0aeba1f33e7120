/** Replays on the hydrated page what people typed and pressed before hydration. */

declare global {
  interface Window {
    /** The last button that was pressed, or that submitted a form, before hydration. Deleted after hydration. */
    earlyPress?: HTMLButtonElement | null
    /** What was typed into each field before hydration. */
    earlyText?: Map<EventTarget, string>
  }
}

/**
 * Runs in the head. It records typed text and the last press of a button that needs the script: popovers open without
 * it, and the browser submits a form that has an `action`. It holds back other forms, because the browser would submit
 * them to nowhere. The server hashes this text for its Content-Security-Policy, so it must not depend on data.
 */
export const earlyActsScript =
  'earlyPress=null;earlyText=new Map;document.onclick=function(e){' +
  "if((e=e.target.closest('button'))&&e.type=='button'&&!e.popoverTargetElement)earlyPress=e};" +
  'document.onsubmit=function(e){if(!e.defaultPrevented&&!e.target.hasAttribute("action")){' +
  'e.preventDefault();earlyPress=e.submitter}};' +
  'document.oninput=function(e){earlyText.set(e.target,e.target.value)}'

interface Selection {
  readonly field: TextField
  /** The field's value at that time. The range is meaningless in any other text. */
  readonly value: string
  /** Start and end. Input types such as `email` expose no positions, only whether everything is selected. */
  readonly range: readonly [number, number] | 'all' | 'unknown'
}

type TextField = HTMLInputElement | HTMLTextAreaElement

let earlySelection: Selection | undefined

/** Call it exactly when React starts to listen, because React handles all later presses. */
export function stopNotingPresses(): void {
  document.onclick = null
}

/** Call it just before hydration, which clears the selection when it sets the values of fields. */
export function noteSelection(): void {
  earlySelection = selectionIn(document.activeElement)
}

/**
 * Call it after hydration. It restores text and selection, and presses the recorded button once, unless that has left
 * the page or is disabled by then.
 */
export function actAgain(): void {
  document.oninput = null
  document.onsubmit = null
  const { earlyPress, earlyText } = window
  delete window.earlyPress
  delete window.earlyText
  const selection = selectionToRestore(earlyText)
  // A form that reads stored drafts is remounted in the task of its hydration. A microtask runs after that.
  queueMicrotask(() => {
    for (const [field, text] of earlyText ?? []) typeAgain(field, text)
    if (selection !== undefined) selectAgain(selection)
  })
  // A submit button waits until React has rendered the typed text.
  setTimeout(() => {
    if (earlyPress?.isConnected === true && !earlyPress.disabled) earlyPress.click()
  })
}

/**
 * Hydration resets a field's value. React reports a change only from the last value it knows, so another comes first.
 */
function typeAgain(typedInto: EventTarget, text: string): void {
  const field = fieldOf(typedInto)
  if (field === undefined) return
  field.value = text === '' ? '-' : ''
  // Bypasses React's own setter on the field, which would record the value as already known.
  Reflect.set(Object.getPrototypeOf(field) as object, 'value', text, field)
  field.dispatchEvent(new InputEvent('input', { bubbles: true }))
}

/** Prefers the recorded selection, unless the user has moved to another field or typed more since. */
function selectionToRestore(typed: Window['earlyText']): Selection | undefined {
  const now = selectionIn(document.activeElement)
  if (now === undefined || now.field !== earlySelection?.field) return now
  return (typed?.get(now.field) ?? now.value) === earlySelection.value ? earlySelection : now
}

function selectAgain({ field: selectedIn, value, range }: Selection): void {
  const field = fieldOf(selectedIn)
  if (field === undefined) return
  if (field !== selectedIn) field.focus({ preventScroll: true })
  if (field.value !== value) return
  if (range === 'all') field.select()
  else if (range !== 'unknown') field.setSelectionRange(...range)
}

function selectionIn(field: Element | null): Selection | undefined {
  if (field === null || !isText(field)) return undefined
  const { value, selectionStart, selectionEnd } = field
  if (selectionStart !== null && selectionEnd !== null)
    return { field, value, range: [selectionStart, selectionEnd] }
  const isAll = value !== '' && String(getSelection()) === value
  return { field, value, range: isAll ? 'all' : 'unknown' }
}

/** Returns the field, or its replacement of the same name if the form was remounted. */
function fieldOf(target: EventTarget): TextField | undefined {
  if (!isText(target)) return undefined
  return target.isConnected ? target : [...document.getElementsByName(target.name)].find(isText)
}

function isText(target: EventTarget): target is TextField {
  if (target instanceof HTMLTextAreaElement) return true
  return target instanceof HTMLInputElement && !/^(?:checkbox|radio|file)$/.test(target.type)
}
