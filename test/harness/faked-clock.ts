const variables = Object.entries(process.env).filter(([name]) => name === 'LD_PRELOAD' || name.startsWith('FAKETIME'))

/**
 * The environment variables of libfaketime, for programs that do not inherit the environment. They are set if the tests run with a faster or shifted clock, for
 * example by `faketime -f '+0 x3'`.
 */
export const fakedClock = Object.fromEntries(variables) as Record<string, string>

/**
 * The same for database servers. Their account cannot read the memory that the other processes share, so a faster clock of theirs differs from the others by a
 * constant time.
 */
export const fakedServerClock = Object.fromEntries(variables.filter(([name]) => name !== 'FAKETIME_SHARED')) as Record<
  string,
  string
>
