/** What the suite starts as its client: hands its last argument to whoever listens, and ends as it is told to. */
import { connect } from "node:net"

const { MCP_CONFORMANCE_CONTEXT: context, MCP_CONFORMANCE_SCENARIO: scenario } = process.env
const socket = connect(Number(process.argv[2]), "127.0.0.1")
socket.end(JSON.stringify({ url: process.argv.at(-1), scenario, context }))
let told = ""
for await (const piece of socket) told += String(piece)
if (told !== "done") throw new Error(told)
