import { join } from "node:path"
import { defaultServerConditions } from "vite"
import { defineConfig } from "vitest/config"
import { CountReporter } from "./test/CountReporter.ts"

const conditions = ["@arnilo/source", ...defaultServerConditions] // workspace packages are read from src
const project = (name: string, root: string, globalSetup: Array<string> = []) => ({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    name,
    root,
    globalSetup,
    include: ["**/*.test.ts"],
    typecheck: { enabled: true, include: ["**/*.test-d.ts"] }
  }
})
const projects = [
  project("core", "packages/core/test"),
  project("prism", "packages/prism/test", [join(import.meta.dirname, "packages/prism/test/cli/buildBundle.ts")]),
  project("coding-tools", "packages/coding-tools/test"),
  project("mcp", "packages/mcp/test"),
  project("repository", "test")
]
export default defineConfig({
  test: {
    reporters: ["default", new CountReporter()],
    projects,
    // One less by default, which of two processors leaves one idle.
    maxWorkers: "100%"
  }
})
