import { oneOf } from '#server/kernel/setting-kinds.ts'

/** Settings of the log. */
export const logVariables = {
  LOG_LEVEL: [
    oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    'info',
    'How much is logged',
  ],
  LOG_FORMAT: [
    oneOf(['json', 'text']).optional(),
    'json where NODE_ENV=production is set, else text',
    'json for programs that collect logs, text for people',
  ],
} as const
