/** For the tests of hosts: a scripted model and the suites that an implementation must pass. */
export {
  createScriptedProvider,
  type ScriptedProvider,
  type ScriptedProviderOptions,
  type ScriptedTurn,
  type ScriptStep
} from "./ScriptedProvider.ts"
export {
  assertToolBlocked,
  assertToolDispatchConforms,
  dispatchAndCollect,
  type ToolConformanceOptions,
  type ToolProbe
} from "./toolConformance.ts"
