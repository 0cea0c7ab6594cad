import { readFileSync, statSync } from 'node:fs'
import { type CountryResponse, Reader } from 'mmdb-lib'
import type { Logger } from 'pino'

type CountryDatabase = {
  file: string
  reader: Reader<CountryResponse> | undefined
  modifiedMs: number
  checkedAt: number
  log: Pick<Logger, 'error' | 'info'>
}
/** How often the file is checked for a replacement, in milliseconds. */
const recheckMs = 10 * 60_000
let database: CountryDatabase | undefined

/** Opens the GeoIP database. If it is missing or broken, logs an error; countries are unknown until the file is readable. */
export function openCountryDatabase(file: string | undefined, log: CountryDatabase['log']): void {
  database = file === undefined ? undefined : { file, reader: undefined, modifiedMs: -1, checkedAt: 0, log }
  if (database) reloadIfChanged(database)
}

/** The English name of an IP address's country; null if unknown. */
export function countryOf(ip: string): string | null {
  const country = find(ip)
  return country?.names?.en ?? country?.iso_code ?? null
}

/** The code of an IP address's country (ISO 3166-1 alpha-2); null if unknown. */
export function countryCodeOf(ip: string): string | null {
  const code = find(ip)?.iso_code
  return code !== undefined && /^[A-Z]{2}$/.test(code) ? code : null
}

function find(ip: string): CountryResponse['country'] {
  if (!database) return undefined
  if (Date.now() - database.checkedAt > recheckMs) reloadIfChanged(database)
  try {
    const found = database.reader?.get(ip)
    return found?.country ?? found?.registered_country
  } catch {
    // Not an IP address, or a corrupt file.
    return undefined
  }
}

function reloadIfChanged(countries: CountryDatabase): void {
  const { file, log } = countries
  countries.checkedAt = Date.now()
  try {
    const { mtimeMs } = statSync(file)
    if (mtimeMs === countries.modifiedMs) return
    countries.modifiedMs = mtimeMs
    countries.reader = new Reader<CountryResponse>(readFileSync(file))
    log.info(
      { file, kind: countries.reader.metadata.databaseType, built: countries.reader.metadata.buildEpoch },
      'GeoIP database loaded',
    )
  } catch (error) {
    log.error(
      { file, message: (error as Error).message },
      'GEOIP_DATABASE cannot be read: visitors are listed without a country',
    )
  }
}
