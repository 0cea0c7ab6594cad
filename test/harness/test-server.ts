import type { Address } from '#server/db/connect.ts'

/** Where the tests of this run find their databases: `app` is who the product works as, `admin` may create databases. */
export type TestServer = { admin: Address; app: Address; owner: string | undefined; template: string; prefix: string }

declare module 'vitest' {
  interface ProvidedContext {
    testServer: TestServer
  }
}

/** The same server, another database. */
export function inDatabase(address: Address, database: string): Address {
  if (typeof address !== 'string') return { ...address, database }
  const url = new URL(address)
  url.pathname = `/${database}`
  return url.href
}

/** An address as a process is given it: `DATABASE_URL`. */
export const urlOf = (address: Address): string =>
  typeof address === 'string'
    ? address
    : `postgres://${address.user}@${address.host}:${address.port}/${address.database}`
