/**
 * The environment variables of libfaketime. They are set if the tests run with a faster clock, for example by `faketime -f '+0 x3'`, and are passed to programs
 * that do not inherit the environment.
 */
export const fastClock: Record<string, string> = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) =>
    (name === 'LD_PRELOAD' || name.startsWith('FAKETIME')) && value ? [[name, value]] : [],
  ),
)
