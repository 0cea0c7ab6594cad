import type { Model } from './model.ts'
import type { Real } from './model-world.ts'

/**
 * Sends one request to the product and records it in the model. `pick` (0 to 59) selects what the request is about. Returns the status that
 * the product answered and the one that the model expects; undefined where there is nothing to act on.
 */
export type Action = (
  model: Model,
  real: Real,
  pick: number,
) => Promise<[answered: number, expected: number] | undefined>
