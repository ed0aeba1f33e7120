/** Scripts that are fetched once the page is painted, so that nothing competes with what paints it. */

const TEMPLATE = 'late-scripts'
const FRAME = 'not-loaded'
/** Where nothing is drawn for so long (a window that is covered), the scripts come all the same. */
const LONGEST_WAIT_MS = 1000
/** Scripts that have not come by then may never come. */
const LONGEST_LOAD_MS = 10_000

/**
 * Puts what the template holds into the head once the browser has painted; at once in a tab that nobody sees, which
 * paints nothing. It stands behind all of the page, so that what the scripts read is there before them. Meanwhile an
 * empty frame that is being written holds back the page's `load`, which thus still means that the page is whole: for
 * the browser's sign that it is loading, and for programs that wait for it. The server hashes this text for its policy;
 * it must not depend on data.
 */
export const lateScript =
  `(function(){var frame=document.createElement('iframe');frame.id='${FRAME}';frame.hidden=true;` +
  'document.body.append(frame);frame.contentDocument.open();' +
  `setTimeout(function(){frame.remove()},${LONGEST_LOAD_MS});` +
  `function load(){var late=document.getElementById('${TEMPLATE}');` +
  'if(late){document.head.append(late.content);late.remove()}}' +
  "if(document.hidden)load();else{new PerformanceObserver(load).observe({type:'paint',buffered:true});" +
  `setTimeout(load,${LONGEST_WAIT_MS})}})()`

/** Lets the page's `load` come. To be called once the page lives. */
export function endLoading(): void {
  document.getElementById(FRAME)?.remove()
}

/** A template with the tags, and the script that takes them out of it. @param tags HTML */
export function writeLateScripts(tags: readonly string[]): string {
  return `<template id="${TEMPLATE}">${tags.join('')}</template><script>${lateScript}</script>`
}
