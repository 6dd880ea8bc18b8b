import * as Data from "effect/Data"

/** A request holds a media block of a type that its model does not declare as input. Nothing was sent. */
export class UnsupportedModalityError extends Data.TaggedError("UnsupportedModalityError")<{
  readonly modality: string
  readonly provider: string
  readonly model: string
}> {
  readonly code = "ERR_PRISM_UNSUPPORTED_MODALITY"

  override get message(): string {
    return `Model ${this.provider}/${this.model} does not accept ${this.modality} input`
  }
}
