/** Presses of buttons that come before the script which answers them: noted in the page, pressed again when it lives. */

declare global {
  interface Window {
    /** The button that was pressed last before hydration, or null; gone once the page lives. */
    earlyPress?: HTMLButtonElement | null
  }
}

/**
 * Runs in the head. Notes the last press of a button that does nothing without script: submits and popovers work by
 * themselves. The server hashes this text for its policy; it must not depend on data.
 */
export const earlyPressScript =
  'earlyPress=null;document.onclick=function(e){' +
  "if((e=e.target.closest('button'))&&e.type=='button'&&!e.popoverTargetElement)earlyPress=e}"

/** Stops noting presses. To be called at the very moment that React begins to listen: it answers all later ones. */
export function stopNoting(): void {
  document.onclick = null
}

/**
 * Presses the noted button again, once. To be called when the page is hydrated. A button that has left the page
 * meanwhile, or is disabled by now, is left alone.
 */
export function pressAgain(): void {
  const button = window.earlyPress
  delete window.earlyPress
  if (button?.isConnected === true && !button.disabled) button.click()
}
