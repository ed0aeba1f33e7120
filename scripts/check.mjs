// npm run check: runs types, lint, format, dead code and architecture checks in parallel, and says how complete each
// language is.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { readArguments } from './arguments.mjs'
import { ARCHITECTURE, CHECKS } from './checks.mjs'
import { root, runScript } from './commands.mjs'
import { run } from './status.mjs'

readArguments('Checks types, lint, format, dead code and architecture. No options.', {})
await run(async () => {
  const results = await Promise.all(
    [...CHECKS, ARCHITECTURE].map(async ([name, script]) => {
      const result = await runScript(script)
      process.stdout.write(`${result.isGood ? '✓' : '✗'} ${name}\n`)
      return { name, ...result }
    }),
  )
  process.stdout.write(describeLanguages())
  for (const { name, isGood, output } of results) {
    if (!isGood) process.stdout.write(`\n── ${name}\n${output.trim()}\n`)
  }
  process.exitCode = results.every(({ isGood }) => isGood) ? 0 : 1
})

/** A line for each language: how many texts it has, and the first keys that it lacks. */
function describeLanguages() {
  const folder = join(root, 'contract', 'messages')
  const keysOf = (/** @type {string} */ file) =>
    Object.entries(JSON.parse(readFileSync(join(folder, file), 'utf8')))
      .filter(([, texts]) => typeof texts === 'object')
      .flatMap(([, texts]) => Object.keys(texts))
  const all = keysOf('en.json')
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json') && file !== 'en.json')
    .map((file) => {
      const own = new Set(keysOf(file))
      const missing = all.filter((key) => !own.has(key))
      const some = missing.length === 0 ? '' : `, missing: ${missing.slice(0, 10).join(', ')}`
      const more = missing.length > 10 ? ` and ${missing.length - 10} more` : ''
      return `  ${file.slice(0, -5)}: ${all.length - missing.length} of ${all.length} texts${some}${more}\n`
    })
    .join('')
}
