import { PERSONS, ROLES } from '#server/testing/access/roles.ts'
import { rows } from '#server/testing/access/rows.ts'
import { expectedOf, PROGRAMS, scopeOf } from '#server/testing/access/scopes.ts'

/** Returns Markdown: an explanation of the roles, then a line for each address. */
export function writeTable(): string {
  const persons = ROLES.map((role) => `- **${role}**: ${PERSONS[role]}.`)
  const lines = Object.entries(rows).map(([address, row]) => [
    `\`${address}\``,
    ...ROLES.map((role) => String(row.answers[role])),
    scopeOf(address),
    ...PROGRAMS.map((program) => String(expectedOf(address, row, program))),
  ])
  const table = [
    ['address', ...ROLES, 'scope', ...PROGRAMS.map(({ role, scope }) => `${role}: ${scope}`)],
    ['---', ...ROLES.map(() => '---'), '---', ...PROGRAMS.map(() => '---')],
    ...lines,
  ]
  return [
    '# Who may do what',
    '',
    'What the server answers each role, held by `server/testing/access/access.test.ts`: a status, and what of the',
    'paid article, its comments, messages of two people, hidden addresses and uploaded files is in the answer.',
    'A 400, 404 or 409 for who is let in means that the guard let them pass and the rest of the call was wrong.',
    '',
    ...persons,
    "- **scope**: what a program's access token must have for the call; none: no token will do; ignored: tokens are not looked at.",
    '- **user: read** and so on: who calls by a token of that one scope. That of a user with `admin` was made while they administered.',
    '',
    ...table.map((cells) => `| ${cells.join(' | ')} |`),
    '',
  ].join('\n')
}
