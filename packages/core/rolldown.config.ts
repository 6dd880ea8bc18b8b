/** Joins core's own modules per entry, with `effect` outside: a hundred small files load slower than the work of a run. */
import { defineConfig } from "rolldown"

export default defineConfig({
  cwd: import.meta.dirname,
  input: {
    index: "src/index.ts",
    schema: "src/schema.ts",
    "session/index": "src/session/index.ts",
    "tool/Tool": "src/tool/Tool.ts",
    "validation/json-schema/index": "src/validation/json-schema/index.ts",
    "testing/index": "src/testing/index.ts",
    "provider/openai-compatible/index": "src/provider/openai-compatible/index.ts"
  },
  external: /^effect\//,
  output: {
    dir: "dist",
    entryFileNames: "[name].js",
    chunkFileNames: "shared/[name].js",
    sourcemap: true,
    comments: false
  }
})
