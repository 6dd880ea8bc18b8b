/** A ledger of runs as a host hands it in. */
import type { AgentEventRecord, RunRecord, ToolCallRecord, UsageRecord } from "../records/LedgerRecords.ts"
import type { HostValue } from "./HostValue.ts"

/** Rows arrive redacted, in the order of events. A slow ledger delays the run; one that throws fails it. */
export interface RunLedgerPort {
  appendRun(record: RunRecord): HostValue<void>
  appendEvent(record: AgentEventRecord): HostValue<void>
  appendToolCall(record: ToolCallRecord): HostValue<void>
  appendUsage(record: UsageRecord): HostValue<void>
}
