/** Prints the access rights as a Markdown table: `npm run --silent access`. */
import { readArguments } from '#scripts/arguments.mjs'
import { writeTable } from '#server/testing/access/table.ts'

readArguments(
  'npm run --silent access   prints who may do what, as a table in Markdown. No options.',
  {},
)
process.stdout.write(writeTable())
