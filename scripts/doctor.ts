/** `npm run doctor` checks an installation and says how to fix problems. */
import { setTimeout as pause } from 'node:timers/promises'
import { readArguments } from '#scripts/arguments.mjs'
import { examine } from '#server/operate/doctor/doctor.ts'
import type { State } from '#server/operate/doctor/finding.ts'

const HELP = `npm run doctor   looks at an installation as a start and a visitor would: settings, database, disk, folders, keys,
                 clock, mail server, Redis, files, and PUBLIC_URL through whatever stands in front. It changes nothing.

Run it with the settings of the server, as its user, while the server runs. A line is ✓ where all is well, ! where
somebody should look, ✗ where something is wrong; with one ✗ it ends with 1. It takes ten seconds at most and prints
no secret.
`

const SIGNS: Readonly<Record<State, string>> = { ok: '✓', note: '!', wrong: '✗' }

const say = (line: string) => void process.stdout.write(`${line}\n`)

/** Prints all findings. Returns true if nothing is wrong. */
async function print(): Promise<boolean> {
  const found = await examine(process.env)
  const width = Math.max(...found.map(({ part }) => part.length))
  for (const { part, state, says } of found) say(`${SIGNS[state]} ${part.padEnd(width)}  ${says}`)
  const count = (wanted: State) => found.filter(({ state }) => state === wanted).length
  const [wrong, notes] = [count('wrong'), count('note')]
  say(
    wrong === 0
      ? `\nNothing is wrong${notes === 0 ? '' : `; ${notes} to look at`}.`
      : `\n${wrong} ${wrong === 1 ? 'thing is' : 'things are'} wrong.`,
  )
  return wrong === 0
}

readArguments(HELP, {})
try {
  if (!(await print())) process.exitCode = 1
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`)
  process.exitCode = 1
}
// Exits explicitly, because a check that hangs would keep the process alive. The output must be flushed first.
await pause(0)
process.stdout.write('', () => process.exit())
