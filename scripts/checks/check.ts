/** A check of the whole source tree. `run` returns the violations, each with how to fix it. */
export type Check = { name: string; run: () => string[] | Promise<string[]> }
