import type { Config } from '#server/config.ts'
import { Refusal } from '#server/errors.ts'

type Kind = 'live' | 'recording'
/** `result`: `played`, `overtaken` by a later channel change, or the code of the refusal. */
type Opening = { kind: Kind; result: string; count: number }
type Openings = { all: Map<string, Opening>; seconds: number }

const counts = new WeakMap<Config, Openings>()
/** Returns how often plays were opened in this process, by kind and result. `seconds`: the total time that opening took for those with the result `played`. */
export function openingsOf(config: Config): Openings {
  const known = counts.get(config) ?? { all: new Map(), seconds: 0 }
  counts.set(config, known)
  return known
}

function count(config: Config, kind: Kind, result: string): void {
  const { all } = openingsOf(config)
  const opening = all.get(`${kind} ${result}`) ?? { kind, result, count: 0 }
  opening.count++
  all.set(`${kind} ${result}`, opening)
}

/** Runs `work`, and counts the refusal if it throws one. */
export async function countRefusal<T>(config: Config, kind: Kind, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal) count(config, kind, error.code)
    throw error
  }
}

type Play = { recording: object | null }
/**
 * Runs `work`, which opens the stream of a play. Counts the play and how long that took, or the refusal. `work` returns undefined for a play that was
 * overtaken.
 */
export async function countStart<T>(
  config: Config,
  { recording }: Play,
  work: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const kind = recording === null ? 'live' : 'recording'
  const beganAt = performance.now()
  const started = await countRefusal(config, kind, work)
  count(config, kind, started === undefined ? 'overtaken' : 'played')
  if (started !== undefined) openingsOf(config).seconds += (performance.now() - beganAt) / 1_000
  return started
}
