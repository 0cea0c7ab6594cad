import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isPrivate } from '../http/private-address.ts'

export type Addresses = { address: string; family: number }[]
export type ResolveHost = (host: string) => Promise<Addresses>

/** Thrown if a host has a private address, which this server may not call. */
export class PrivateAddressError extends Error {
  override name = 'PrivateAddressError'
}

/**
 * Returns the IP addresses of a host. Resolve the host once and connect to these addresses, to prevent DNS rebinding. Throws `PrivateAddressError` if one of
 * them is private and that is not allowed. Rethrows lookup errors.
 */
export async function addressesOf(
  hostname: string,
  { allowPrivate, resolve = (host) => lookup(host, { all: true }) }: { allowPrivate: boolean; resolve?: ResolveHost },
): Promise<Addresses> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const family = isIP(host)
  const found = family ? [{ address: host, family }] : await resolve(host)
  if (found.length === 0) throw Object.assign(new Error('no address'), { code: 'ENOTFOUND' })
  if (!allowPrivate && found.some(({ address }) => isPrivate(address))) throw new PrivateAddressError('private address')
  return found
}
