import { readFileSync, statSync } from 'node:fs'
import { type CountryResponse, Reader } from 'mmdb-lib'
import type { Logger } from 'pino'

type Opened = {
  file: string
  reader: Reader<CountryResponse> | undefined
  modifiedMs: number
  checkedAt: number
  log: Pick<Logger, 'error' | 'info'>
}
/** The operator replaces the file from time to time: it is looked at this often. */
const recheckMs = 10 * 60_000
let opened: Opened | undefined

/** Opens the database of addresses. One that is missing or broken is complained of in the log, and countries stay unknown until it is mended. */
export function openCountries(file: string | undefined, log: Opened['log']): void {
  opened = file === undefined ? undefined : { file, reader: undefined, modifiedMs: -1, checkedAt: 0, log }
  if (opened) look(opened)
}

/** The English name of the country an address belongs to; null where nobody knows. */
export function countryOf(ip: string): string | null {
  if (!opened) return null
  if (Date.now() - opened.checkedAt > recheckMs) look(opened)
  try {
    const found = opened.reader?.get(ip)
    const country = found?.country ?? found?.registered_country
    return country?.names?.en ?? country?.iso_code ?? null
  } catch {
    // Not an address, or a file that is damaged inside.
    return null
  }
}

function look(countries: Opened): void {
  const { file, log } = countries
  countries.checkedAt = Date.now()
  try {
    const { mtimeMs } = statSync(file)
    if (mtimeMs === countries.modifiedMs) return
    countries.modifiedMs = mtimeMs
    countries.reader = new Reader<CountryResponse>(readFileSync(file))
    log.info(
      { file, kind: countries.reader.metadata.databaseType, built: countries.reader.metadata.buildEpoch },
      'countries of addresses are known',
    )
  } catch (error) {
    log.error(
      { file, message: (error as Error).message },
      'GEOIP_DATABASE cannot be read: visitors are shown without their country',
    )
  }
}
