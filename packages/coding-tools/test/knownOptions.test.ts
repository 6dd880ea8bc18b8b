import { assert, describe, it } from "@effect/vitest"
import { createCodingTools, createReadOnlyTools } from "../src/agent/codingTools.ts"
import { createBubblewrapSandbox } from "../src/security/BubblewrapSandbox.ts"
import { createCodingApprovalPolicy } from "../src/security/CodingApprovalPolicy.ts"

describe("options", () => {
  it("are refused by names that there are not: a misspelt policy would be none", () => {
    const misspelt = { policy: {} } as never
    const refuse = (make: () => unknown, where: string): void =>
      assert.throws(make, TypeError, `${where} has no option "policy"; there are `)
    refuse(() => createCodingTools("/tmp", misspelt), "The coding tools")
    refuse(() => createReadOnlyTools("/tmp", misspelt), "The coding tools")
    for (const name of ["shell", "read", "write", "edit"]) {
      refuse(() => createCodingTools("/tmp", { [name]: misspelt }), `The ${name} tool`)
    }
    refuse(() => createCodingApprovalPolicy({ roots: ["/tmp"], policy: {} } as never), "The approval policy")
    refuse(() => createBubblewrapSandbox({ roots: ["/tmp"], policy: {} } as never), "The sandbox")
  })
})
