/** Scripts that are fetched once the page is painted, so that nothing competes with what paints it. */

const ID = 'scripts'
/** Where nothing is drawn for so long (a window that is covered), the scripts come all the same. */
const LONGEST_WAIT_MS = 1000

/**
 * Puts what the template holds into the head once the browser has painted; at once in a tab that nobody sees, which
 * paints nothing. It stands behind all of the page, so that what the scripts read is there before them. The server
 * hashes this text for its policy; it must not depend on data.
 */
export const lateScript =
  `function loadScripts(){var t=document.getElementById('${ID}');if(t){document.head.append(t.content);t.remove()}}` +
  "if(document.hidden)loadScripts();else{new PerformanceObserver(loadScripts).observe({type:'paint',buffered:true});" +
  `setTimeout(loadScripts,${LONGEST_WAIT_MS})}`

/** A template with the tags, and the script that takes them out of it. @param tags HTML */
export function writeLateScripts(tags: readonly string[]): string {
  return `<template id="${ID}">${tags.join('')}</template><script>${lateScript}</script>`
}
