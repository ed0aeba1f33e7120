// Checks that need no running servers: their label, and their script in package.json.
export const CHECKS = /** @type {const} */ ([
  ['types', 'check:types'],
  ['lint', 'lint'],
  ['format', 'format:check'],
  ['dead code', 'knip'],
  ['database types', 'check:db-types'],
])

export const ARCHITECTURE = /** @type {const} */ (['architecture', 'check:architecture'])
