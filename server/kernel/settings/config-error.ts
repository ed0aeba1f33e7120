/** Its message names the variable. */
export class ConfigError extends Error {}
