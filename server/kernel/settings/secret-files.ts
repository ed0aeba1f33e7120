/**
 * Reads secrets from files, as containers and vault agents deliver them: NAME_FILE names the file with the value
 * of NAME.
 */
import { closeSync, openSync, readSync } from 'node:fs'
import { ConfigError } from '#server/kernel/settings/config-error.ts'

/** Longer than any secret; a larger file is the wrong one. */
const MOST_BYTES = 64 * 1024

/**
 * Adds the values that files provide for these names. A value in the environment itself wins. Surrounding
 * whitespace, which editors add, isn't part of a secret.
 * @throws ConfigError with a message that contains nothing of the file
 */
export function readSecretFiles(
  environment: Readonly<Record<string, string | undefined>>,
  names: Iterable<string>,
): Readonly<Record<string, string | undefined>> {
  const filled = { ...environment }
  for (const name of names) {
    const path = environment[`${name}_FILE`] ?? ''
    if (path !== '' && (filled[name] ?? '') === '') filled[name] = readSecret(`${name}_FILE`, path)
  }
  return filled
}

function readSecret(variable: string, path: string): string {
  const text = readBounded(variable, path).trim()
  if (text === '') throw new ConfigError(`${variable} (${path}) is empty. Write the value into it.`)
  return text
}

/** Reads a bounded number of bytes, so that /dev/zero ends too. */
function readBounded(variable: string, path: string): string {
  const bytes = Buffer.alloc(MOST_BYTES + 1)
  let length = 0
  try {
    const file = openSync(path, 'r')
    try {
      for (let read = -1; read !== 0 && length < bytes.length; length += read)
        read = readSync(file, bytes, length, bytes.length - length, null)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    throw new ConfigError(
      `${variable} (${path}) can not be read. Set it to a file that this user may read.`,
      { cause: error },
    )
  }
  if (length > MOST_BYTES)
    throw new ConfigError(`${variable} (${path}) is too long to hold one value.`)
  return bytes.toString('utf8', 0, length)
}
