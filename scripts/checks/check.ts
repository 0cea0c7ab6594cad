/** One promise about the whole tree. `run` returns what breaks it, each with the way to mend it; nothing means it holds. */
export type Check = { name: string; run: () => string[] | Promise<string[]> }
