import { expect, test } from 'vitest'
import { examineSecondFactors } from '#server/operate/doctor/second-factor.ts'
import { signUpAll } from '#server/testing/people.ts'
import { setUser } from '#server/testing/rows.ts'
import { openTestApp } from '#server/testing/setup.ts'

test('people without a required second factor are counted, administrators by name', async () => {
  const app = await openTestApp()
  const { ann, bob } = await signUpAll(app, 'ann', 'bob')
  const examine = (all: 'all' | undefined, administrators: '0' | '1' = '0') =>
    examineSecondFactors(app.app.database.db, {
      SECOND_FACTOR: all,
      ADMIN_SECOND_FACTOR: administrators,
    })
  await setUser(app, ann, { role: 'administrator' })
  await setUser(app, bob, { second_factor_at: new Date() })
  const part = 'SECOND_FACTOR'
  expect(await examine('all')).toEqual({
    part,
    state: 'note',
    says: 'demanded of all: 1 of 2 people have none. They may do nothing but set one up, at their next visit. Administrators among them: ann.',
  })
  expect(await examine(undefined, '1')).toEqual({
    part,
    state: 'note',
    says: 'demanded of administrators: 1 of 1 administrators have none. Until they set one up they are users like all. Administrators among them: ann.',
  })
  await setUser(app, ann, { second_factor_at: new Date() })
  const says = 'demanded of all: all of 2 people have one'
  expect(await examine('all')).toEqual({ part, state: 'ok', says })
  expect(await examine(undefined)).toBeNull()
})
