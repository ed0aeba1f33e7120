import { expect, test } from 'vitest'
import { auditTrouble, DAY_MS } from '#server/operate/audit/watch.ts'
import { backupTrouble, type BackupState } from '#server/operate/backup/watch.ts'

const state = (given: Partial<BackupState>): BackupState => ({
  isConfigured: true,
  error: null,
  ageMs: null,
  triedMs: null,
  ...given,
})

test.each([
  ['a failed backup', { error: 'no room', ageMs: DAY_MS }, /^the last daily backup failed/],
  ['one older than two days', { ageMs: 3 * DAY_MS }, /^the last backup is 3 days old/],
  ['none in two days of trying', { triedMs: 3 * DAY_MS }, /^no backup was ever completed/],
  ['no BACKUP_URL', { isConfigured: false }, /^no backups are made: set BACKUP_URL/],
])('%s is trouble', (_, given, says) => {
  expect(backupTrouble(state(given))).toMatch(says)
})

test.each([
  ['a fresh one', { ageMs: DAY_MS }],
  ['a new site whose first one is under way', { triedMs: 1000 }],
  ['a fresh one by hand without BACKUP_URL', { isConfigured: false, ageMs: DAY_MS }],
])('%s is well', (_, given) => {
  expect(backupTrouble(state(given))).toBe(null)
})

test('backups that are made elsewhere are not watched', () => {
  expect(backupTrouble(null)).toBe(null)
})

test('an audit is trouble when it found something or is older than two days', () => {
  expect(auditTrouble({ findings: 1, ageMs: 1000 })).toMatch(/found something wrong/)
  expect(auditTrouble({ findings: 0, ageMs: 3 * DAY_MS })).toMatch(/3 days old/)
  expect(auditTrouble({ findings: 0, ageMs: DAY_MS })).toBe(null)
  expect(auditTrouble({ findings: 0, ageMs: null })).toBe(null)
})
