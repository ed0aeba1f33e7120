/** Prints who may do what, as a table in Markdown: `npm run --silent access`. */
import { writeTable } from '#server/testing/access/table.ts'

process.stdout.write(writeTable())
