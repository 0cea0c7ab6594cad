import type { Model } from './model.ts'
import type { Real } from './model-world.ts'

/**
 * Sends one request to the product and records it in the model. `pick` (0 to 59) selects the subject of the request. Returns the status that
 * the product returned and the one that the model expects; undefined if there is no subject.
 */
export type Action = (model: Model, real: Real, pick: number) => Promise<[actual: number, expected: number] | undefined>
