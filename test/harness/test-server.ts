import type { Address } from '#server/db/connect.ts'

/** The connections of this test run: the product uses the role `app`; `admin` may create databases. */
export type TestServer = { admin: Address; app: Address; owner: string | undefined; template: string; prefix: string }

declare module 'vitest' {
  interface ProvidedContext {
    testServer: TestServer
  }
}

/** Returns the address of another database on the same server. */
export function inDatabase(address: Address, database: string): Address {
  if (typeof address !== 'string') return { ...address, database }
  const url = new URL(address)
  url.pathname = `/${database}`
  return url.href
}

/** Formats an address as a `DATABASE_URL`. */
export const urlOf = (address: Address): string =>
  typeof address === 'string'
    ? address
    : `postgres://${address.user}@${encodeURIComponent(address.host)}:${address.port}/${address.database}`
