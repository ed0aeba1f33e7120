import { parseArgs } from 'node:util'

/** Prints the help for `--help` and ends the process. @throws TypeError for any other argument */
export function readOptions(help: string): void {
  const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } })
  if (values.help !== true) return
  console.log(help)
  process.exit(0)
}
