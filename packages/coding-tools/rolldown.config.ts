/** The library's entries: only its own modules are joined. */
import { defineConfig } from "rolldown"

export default defineConfig({
  cwd: import.meta.dirname,
  input: { "agent/index": "src/agent/index.ts", "security/index": "src/security/index.ts" },
  platform: "node",
  external: [/^@arnilo\//, /^effect\//, "diff", "unbash"],
  output: {
    dir: "dist",
    entryFileNames: "[name].js",
    chunkFileNames: "shared/[name].js",
    sourcemap: true,
    comments: false
  }
})
