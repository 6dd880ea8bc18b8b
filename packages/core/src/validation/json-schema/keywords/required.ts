import { quote } from "../describe.ts"
import { onObject } from "../Keyword.ts"
import { requiredNames } from "../shapes.ts"
import { charge } from "../steps.ts"

/** JSON Schema validation §6.5.3. A property that only the prototype has is absent. */
export const required = onObject({
  name: "required",
  shape: requiredNames,
  check: (wanted) => (value) => {
    charge(4 * wanted.length)
    for (const name of wanted) if (!Object.hasOwn(value, name)) return false
    return true
  },
  explain(wanted, value, at, report) {
    for (const name of wanted) {
      if (report.isFull) return
      if (!Object.hasOwn(value, name)) report.add(at, `must have the property ${quote(name)}`)
    }
  }
})
