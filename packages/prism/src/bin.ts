/** The `prism` command. */
import * as module from "node:module"

// Before anything else is loaded, so that it is compiled once. Older Nodes have no such cache.
module.enableCompileCache?.()

void import("./cli/main.ts").then(({ main }) => main())
