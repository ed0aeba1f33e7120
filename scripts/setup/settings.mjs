// The environment file of an installation, which both systemd and a shell read.
import { Failure } from '#scripts/status.mjs'

export const SETTINGS = '/etc/knowledge-bazaar.env'

/**
 * @param {string} text
 * @returns {Record<string, string>}
 */
export function readSettings(text) {
  const lines = text.matchAll(/^([A-Z][A-Z0-9_]*)=(?:'([^'\n]*)'|"([^"\n]*)"|(\S*))[ \t]*$/gm)
  return Object.fromEntries([...lines].map(([, name, a, b, c]) => [name, a ?? b ?? c ?? '']))
}

/**
 * Replaces the values of these settings, appends missing ones, and leaves all other lines as they are.
 * @param {string} text
 * @param {Record<string, string>} wanted
 */
export function mergeSettings(text, wanted) {
  const there = readSettings(text)
  let merged = text
  for (const [name, value] of Object.entries(wanted)) {
    if (/['\n]/.test(value)) throw new Failure(`${name} may contain no quote: percent-encode it.`)
    if (there[name] === value) continue
    const line = `${name}='${value}'`
    merged =
      name in there
        ? merged.replace(new RegExp(`^${name}=.*$`, 'm'), () => line)
        : `${merged}${merged === '' || merged.endsWith('\n') ? '' : '\n'}${line}\n`
  }
  return merged
}
