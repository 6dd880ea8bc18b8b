/**
 * What a tool or a hook threw. However it looks, it is the failure of this one call: no refusal of a gate, and no failure
 * of the run's own ledger.
 */
export class HostFailure {
  readonly error: unknown

  constructor(error: unknown) {
    this.error = error
  }
}
