// Parses the arguments of all commands in the same way.
import process from 'node:process'
import { parseArgs } from 'node:util'

/**
 * Returns the options and the other arguments. Prints the help and ends the process if `--help` is given, or with
 * code 1 if an argument is unknown.
 * @template {import('node:util').ParseArgsConfig} const Config
 * @param {string} help
 * @param {Config} config
 * @returns {ReturnType<typeof parseArgs<Config>>}
 */
export function readArguments(help, config) {
  const options = {
    ...config.options,
    help: { type: /** @type {const} */ ('boolean'), short: 'h' },
  }
  try {
    const words = parseArgs({ ...config, options })
    if (words.values.help !== true) return /** @type {any} */ (words)
    process.stdout.write(`${help.trimEnd()}\n`)
    process.exit(0)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${help.trimEnd()}\n`)
    process.exit(1)
  }
}
