/** Bundles the `prism` command, with core and effect inside: loading them file by file takes longer than a run. */
import { defineConfig } from "rolldown"

export default defineConfig({
  cwd: import.meta.dirname,
  input: { bin: "src/bin.ts" },
  platform: "node",
  resolve: { conditionNames: ["@arnilo/source", "node", "import", "default"] },
  output: { dir: "dist", entryFileNames: "[name].js", chunkFileNames: "bin/[name].js" }
})
