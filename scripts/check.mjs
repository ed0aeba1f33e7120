// npm run check: runs types, lint, format, dead code and architecture checks in parallel.
import process from 'node:process'
import { readArguments } from './arguments.mjs'
import { ARCHITECTURE, CHECKS } from './checks.mjs'
import { runScript } from './commands.mjs'
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
  for (const { name, isGood, output } of results) {
    if (!isGood) process.stdout.write(`\n── ${name}\n${output.trim()}\n`)
  }
  process.exitCode = results.every(({ isGood }) => isGood) ? 0 : 1
})
