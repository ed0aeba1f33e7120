/** `npm run licences` writes docs/licences.md and reports forbidden licences. */
import { writeFileSync } from 'node:fs'
import { readArguments } from '#scripts/arguments.mjs'
import { isAllowed, readLocked, writeList } from '#scripts/licence-list.ts'

readArguments(
  'npm run licences   writes docs/licences.md, and ends with 1 when a licence may not be used. No options.',
  {},
)
const locked = readLocked()
writeFileSync('docs/licences.md', writeList(locked))
const wrong = locked.filter((one) => !isAllowed(one))
for (const { name, licence, place } of wrong)
  process.stderr.write(`${name}: ${licence === '' ? 'no licence' : licence} (${place})\n`)
if (wrong.length > 0) process.exitCode = 1
