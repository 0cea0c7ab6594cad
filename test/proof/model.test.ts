import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { expectInvariants } from '../harness/invariants.ts'
import type { Model } from '../harness/model.ts'
import { modelActions } from '../harness/model-actions.ts'
import { compare, openWorld, type Real, startModel, type World } from '../harness/model-world.ts'
import { roundCount } from '../harness/scale.ts'

// Customers and administrators send random requests while time passes and the app crashes. A model computes what each
// request must change.
class Command implements fc.AsyncCommand<Model, Real> {
  readonly what: string
  readonly pick: number
  constructor(what: string, pick: number) {
    this.what = what
    this.pick = pick
  }
  check = () => true
  async run(model: Model, real: Real): Promise<void> {
    const outcome = await modelActions[this.what]!(model, real, this.pick)
    if (outcome) expect(outcome[0], `${this}`).toBe(outcome[1])
    await compare(model, real)
  }
  toString = () => `${this.what} ${this.pick}`
}

const runs = roundCount('MODEL_RUNS', { short: 4, full: 200 })
const length = Number(process.env.MODEL_COMMANDS ?? 30)
/** A failure prints both: the seed alone repeats all runs, the path repeats only the failed run. */
const seed = Number(process.env.MODEL_SEED)
const path = process.env.MODEL_PATH
const money = [
  'order',
  'submit',
  'submit',
  'confirm',
  'confirm',
  'change plan',
  'reject',
  'request a refund',
  'request a refund',
  'approve a refund',
  'approve a refund',
  'let time pass',
]
const command = fc
  .record({ what: fc.constantFrom(...Object.keys(modelActions), ...money), pick: fc.nat(59) })
  .map(({ what, pick }) => new Command(what, pick))

/** Each run advances the time by years, so a new world is built after this number of runs. */
const runsPerWorld = 50
let world: World | undefined
let run = 0
afterAll(() => world?.close())

test(
  'after every request in a random order, while time passes and the app crashes, the rows match the model',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: length, maxLength: length }), async (commands) => {
        if (run++ % runsPerWorld === 0) {
          await world?.close()
          world = await openWorld()
        }
        const living = world!
        await fc.asyncModelRun(() => startModel(living), commands)
        await expectInvariants(living.db)
      }),
      { numRuns: runs, ...(seed && { seed }), ...(path && { path }), endOnFailure: true },
    )
  },
  120_000 + runs * length * 200,
)
