/** `npm run licences` lists the licences of all packages and reports forbidden ones. */
import { readArguments } from '#scripts/arguments.mjs'
import { isAllowed, readLocked, formatList } from '#scripts/licence-list.ts'

readArguments(
  'npm run licences   lists the packages by use and licence, and ends with 1 when one may not be used. No options.',
  {},
)
const locked = readLocked()
process.stdout.write(formatList(locked))
const wrong = locked.filter((one) => !isAllowed(one))
for (const { name, licence, place } of wrong)
  process.stderr.write(`${name}: ${licence === '' ? 'no licence' : licence} (${place})\n`)
if (wrong.length > 0) process.exitCode = 1
