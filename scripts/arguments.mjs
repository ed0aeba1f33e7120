// Reads the words of a command, in one way for all of them.
import process from 'node:process'
import { parseArgs } from 'node:util'

/**
 * Answers the options and the other words. Ends the process after printing the help that was asked for, or with the code
 * 1 and the help when a word is unknown.
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
