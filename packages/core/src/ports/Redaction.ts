/** Removal of known secrets, as a host hands it in. */

/** Returns the value without any known secret. Never changes its argument. */
export interface SecretRedactor {
  redact<T>(value: T): T
}

/** The secrets to remove. Empty and absent ones are ignored. */
export type Secrets = ReadonlyArray<string | undefined>
