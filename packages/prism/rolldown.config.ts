/** The command and the library's entries. */
import { defineConfig } from "rolldown"

export default defineConfig([
  {
    // The command has core and effect inside: loading them file by file takes longer than a run.
    cwd: import.meta.dirname,
    input: { bin: "src/bin.ts" },
    platform: "node",
    resolve: { conditionNames: ["@arnilo/source", "node", "import", "default"] },
    // Comments are half of the text that every start reads.
    output: {
      dir: "dist",
      entryFileNames: "[name].js",
      chunkFileNames: "bin/[name].js",
      // What several parts of the command need is one file: a start pays for each.
      codeSplitting: { groups: [{ name: "shared", minShareCount: 2 }] },
      comments: false
    }
  },
  {
    // The library has neither: a host's process has one core and one effect. Only its own modules are joined.
    cwd: import.meta.dirname,
    input: {
      index: "src/index.ts",
      "cli/index": "src/cli/index.ts",
      "providers/openai-compatible": "src/providers/openai-compatible.ts",
      "testing/tool-conformance": "src/testing/tool-conformance.ts"
    },
    platform: "node",
    external: [/^@arnilo\//, /^@effect\//, /^effect\//],
    output: {
      dir: "dist",
      entryFileNames: "[name].js",
      chunkFileNames: "shared/[name].js",
      sourcemap: true,
      comments: false
    }
  }
])
