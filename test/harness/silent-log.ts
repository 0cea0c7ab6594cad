import type { Logger } from 'pino'

const say = () => {}

/** A log without output for code under test. */
export const silentLog: Pick<Logger, 'info' | 'warn' | 'error'> = { info: say, warn: say, error: say }
