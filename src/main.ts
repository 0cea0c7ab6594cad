import '#server/known-modules.ts'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { type Logger, pino } from 'pino'
import { type Config, readConfig, settingWarnings } from '#server/config.ts'
import { logDestination } from '#server/observability/journal.ts'
import { logOptions } from '#server/observability/log.ts'
import { startTrouble } from '#server/start-errors.ts'

// Left alone, V8 lets garbage grow to several times what is in use before it collects: in a lasting overload to half a gigabyte.
setFlagsFromString('--heap-growing-percent=50')

/** Serves in this process, or with `PROCESSES` starts as many and looks after them. What only one of the two needs is not loaded for the other. */
async function main(config: Config): Promise<void> {
  // Which of several processes this is, said by the one that started it.
  const number =
    Number(process.argv.find((argument) => argument.startsWith('--process='))?.slice('--process='.length)) || undefined
  const log = pino(
    { ...logOptions, level: config.logLevel, base: number === undefined ? undefined : { process: number } },
    logDestination(config.journalStream),
  )
  if (number === undefined) for (const warning of settingWarnings()) log.warn(warning)
  const dev = process.argv.includes('--dev')
  if (config.processes > 1 && number === undefined && !dev) {
    const { runPrimary: supervise } = await import('#server/cluster/primary.ts')
    await supervise(import.meta.filename, config, log)
  } else {
    await serve(config, log, { dev, number })
  }
}

type Which = { dev: boolean; number: number | undefined }
/** The database starts in a process of its own while this one loads all the rest; whatever fails leaves none behind. */
async function serve(config: Config, log: Logger, which: Which): Promise<void> {
  const { openDatabase } = await import('#server/db/open.ts')
  const opening = openDatabase(config, log, join(import.meta.dirname, '../migrations'))
  // It may fail before anybody waits for it below.
  opening.catch(() => {})
  try {
    const { startServing } = await import('./serve.ts')
    await startServing(config, log, opening, which)
  } catch (error) {
    const database = await opening.catch(() => undefined)
    await database?.close()
    throw error
  }
}

let config: Config | undefined
try {
  config = readConfig()
  await main(config)
} catch (error) {
  const { message } = error as Error
  process.stderr.write(`${config ? startTrouble(error as Error, config) : message}\n`)
  process.exit(1)
}
