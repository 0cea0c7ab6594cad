import { hash } from '@node-rs/argon2'

/** Returns the median CPU time in ms of one password hash with the product's parameters. */
export async function hashCost(): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < 20; n++) {
    const before = process.cpuUsage()
    await hash('for-the-bench-only', { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 })
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / 1000)
  }
  return times.toSorted((a, b) => a - b)[10]!
}
