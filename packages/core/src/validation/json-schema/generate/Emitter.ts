/** Text of generated code. What comes from a schema is a number or a plain identifier, else it goes in as a constant. */

const IDENTIFIER = /^[A-Za-z_$][\w$]{0,63}$/

/** The only text of a schema that is ever written into source: a literal of letters, digits, `_` and `$`. */
const isIdentifier = (text: string): boolean => IDENTIFIER.test(text)

export class Emitter {
  /** Handed to the generated code as one array. */
  readonly constants: Array<unknown> = []
  readonly #names = new Map<unknown, string>()

  /** The name of a constant that holds `value`. */
  constant(value: unknown): string {
    const known = this.#names.get(value)
    if (known !== undefined) return known
    const name = `c${this.constants.length}`
    this.constants.push(value)
    this.#names.set(value, name)
    return name
  }

  /** An expression for a string, finite number, boolean or null. */
  primitive(value: unknown): string {
    if (value === null || typeof value === "boolean") return String(value)
    if (typeof value === "number") return this.number(value)
    return typeof value === "string" && isIdentifier(value) ? `"${value}"` : this.constant(value)
  }

  number(value: number): string {
    return Number.isFinite(value) ? `(${value})` : this.constant(value)
  }

  /** Reads an own property; `undefined` where only the prototype has it. */
  member(object: string, name: string): string {
    const read = isIdentifier(name) ? `${object}.${name}` : `${object}[${this.constant(name)}]`
    return name in Object.prototype
      ? `(${this.constant(hasOwn)}(${object}, ${this.constant(name)}) ? ${read} : undefined)`
      : read
  }
}

const hasOwn = (object: object, name: string): boolean => Object.hasOwn(object, name)
