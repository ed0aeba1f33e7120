/** The table of access for people who read it. */
import { PERSONS, ROLES } from '#server/testing/access/roles.ts'
import { rows } from '#server/testing/access/rows.ts'

/** Markdown: who the roles are, then one line for every address. */
export function writeTable(): string {
  const persons = ROLES.map((role) => `- **${role}**: ${PERSONS[role]}.`)
  const lines = Object.entries(rows).map(([address, { answers }]) => [
    `\`${address}\``,
    ...ROLES.map((role) => String(answers[role])),
  ])
  const table = [['address', ...ROLES], ['---', ...ROLES.map(() => '---')], ...lines]
  return [
    '# Who may do what',
    '',
    'What the server answers each role, held by `server/testing/access/access.test.ts`: a status, and what of the',
    'paid article, its comments, messages of two people, hidden addresses and uploaded files is in the answer.',
    'A 400, 404 or 409 for who is let in means that the guard let them pass and the rest of the call was wrong.',
    '',
    ...persons,
    '',
    ...table.map((cells) => `| ${cells.join(' | ')} |`),
    '',
  ].join('\n')
}
