/** The suite that a tool passes behind the gates of dispatch. */
export {
  assertToolBlocked,
  assertToolDispatchConforms,
  dispatchAndCollect,
  type ToolConformanceOptions,
  type ToolProbe
} from "@arnilo/prism-core/testing"
