import { quote } from "../describe.ts"
import { onObject } from "../Keyword.ts"
import { schema } from "../shapes.ts"
import { charge } from "../steps.ts"

/** JSON Schema core §10.3.2.4. */
export const propertyNames = onObject({
  name: "propertyNames",
  shape: schema,
  check: (names) => (value) => {
    for (const key in value) {
      charge(24)
      if (!names.check(key, undefined)) return false
    }
    return true
  },
  explain(names, value, at, report) {
    for (const key in value) {
      if (report.isFull) return
      if (!names.check(key, undefined)) report.add(at, `must not have a property named ${quote(key)}`)
    }
  }
})
