// The checks that need nothing running: name for people, script of package.json.
export const CHECKS = /** @type {const} */ ([
  ['types', 'check:types'],
  ['lint', 'lint'],
  ['format', 'format:check'],
  ['dead code', 'knip'],
  ['database types', 'check:db-types'],
])

export const ARCHITECTURE = /** @type {const} */ (['architecture', 'check:architecture'])
