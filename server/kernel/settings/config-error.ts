/** Thrown with a sentence that names the variable. */
export class ConfigError extends Error {}
