/** A candidate artifact is judged. `attempt` counts candidates from 1 and may differ from `turn`. */
import * as Schema from "effect/Schema"
import { ArtifactValidation } from "../schema/Artifact.ts"
import { ofRun } from "./RunEvents.ts"

const ofCandidate = { ...ofRun, turn: Schema.Finite, attempt: Schema.Finite }

export const ArtifactValidationStarted = Schema.Struct({
  type: Schema.tag("artifact_validation_started"),
  ...ofCandidate
})
export const ArtifactValidationFinished = Schema.Struct({
  type: Schema.tag("artifact_validation_finished"),
  ...ofCandidate,
  result: ArtifactValidation
})
export const ArtifactRevisionStarted = Schema.Struct({
  type: Schema.tag("artifact_revision_started"),
  ...ofCandidate,
  failure: ArtifactValidation
})
export const ArtifactFinished = Schema.Struct({
  type: Schema.tag("artifact_finished"),
  ...ofCandidate,
  result: ArtifactValidation
})
export const ArtifactFailed = Schema.Struct({
  type: Schema.tag("artifact_failed"),
  ...ofCandidate,
  result: ArtifactValidation
})
