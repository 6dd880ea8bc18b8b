/** `uuid`. */

const uuid = /^[\dA-Fa-f]{8}-[\dA-Fa-f]{4}-[\dA-Fa-f]{4}-[\dA-Fa-f]{4}-[\dA-Fa-f]{12}$/

/** The text form of RFC 9562 §4 (RFC 4122 §3): any version and variant, either case, no `urn:uuid:` in front. */
export const isUuid = (text: string): boolean => text.length === 36 && uuid.test(text)
