import type { Reporter, TestModule } from "vitest/node"

/** Prints `N passed, N failed` as the last line. A module that does not load and an error outside tests count as failures. */
export class CountReporter implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, errors: ReadonlyArray<unknown>): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const passed = tests.filter((test) => test.result().state === "passed").length
    const broken = modules.filter((module) => module.state() === "failed" && module.children.size === 0).length
    const failed = tests.length - passed + broken + errors.length
    process.once("exit", () => process.stdout.write(`${passed} passed, ${failed} failed\n`))
  }
}
