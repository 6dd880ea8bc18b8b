/** The library's entries: only its own modules are joined. */
import { defineConfig } from "rolldown"

export default defineConfig({
  cwd: import.meta.dirname,
  input: { index: "src/index.ts", "server/index": "src/server/index.ts" },
  platform: "node",
  external: [/^@arnilo\//, /^effect\//, /^@modelcontextprotocol\//],
  output: {
    dir: "dist",
    entryFileNames: "[name].js",
    chunkFileNames: "shared/[name].js",
    sourcemap: true,
    comments: false
  }
})
