import type { Logger } from 'pino'

const say = () => {}

/** For parts under test that want to tell somebody. */
export const silentLog: Pick<Logger, 'info' | 'warn' | 'error'> = { info: say, warn: say, error: say }
