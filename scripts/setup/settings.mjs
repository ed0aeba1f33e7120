// The environment file of an installation, which both systemd and a shell read.
import { Failure } from '#scripts/status.mjs'

export const SETTINGS = '/etc/knowledge-bazaar.env'

/** In quotes, anything that both of them take as it is; without, what needs no quotes. */
const LINE = /^[ \t]*([A-Za-z_]\w*)=(?:'([^']*)'|"([^"$`\\]*)"|([\w%+,./:=@^-]*))[ \t]*$/

/**
 * Of several lines with one name the last counts, as for systemd and a shell.
 * @param {string} text
 * @returns {Record<string, string>}
 * @throws {Failure} for a line that systemd and a shell would read differently, or not at all
 */
export function readSettings(text) {
  /** @type {Record<string, string>} */
  const settings = {}
  for (const [index, line] of text.split('\n').entries()) {
    if (/^[ \t]*(?:#.*)?$/.test(line)) continue
    const [, name, a, b, c] = LINE.exec(line) ?? []
    if (name === undefined)
      // Without the value, which may be a secret.
      throw new Failure(
        `Line ${index + 1} of ${SETTINGS} can't be read: write NAME='value', and comments on lines of their own.`,
      )
    settings[name] = a ?? b ?? c ?? ''
  }
  return settings
}

/**
 * Replaces the values of these settings, appends missing ones, and leaves all other lines as they are.
 * @param {string} text
 * @param {Record<string, string>} wanted
 */
export function mergeSettings(text, wanted) {
  const there = readSettings(text)
  const changed = Object.entries(wanted).filter(([name, value]) => there[name] !== value)
  if (changed.length === 0) return text
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n')
  for (const [name, value] of changed) {
    const at = lines.findLastIndex((line) => LINE.exec(line)?.[1] === name)
    lines.splice(at < 0 ? lines.length : at, at < 0 ? 0 : 1, `${name}=${quote(name, value)}`)
  }
  return `${lines.join('\n')}\n`
}

/** @param {string} name @param {string} value @throws {Failure} */
function quote(name, value) {
  if (/^[^'\n\r\0]*$/.test(value)) return `'${value}'`
  if (/^[^"$`\\\n\r\0]*$/.test(value)) return `"${value}"`
  throw new Failure(`${name} has characters that a settings file can't hold: percent-encode them.`)
}
