import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isPrivate } from '../http/private-address.ts'

export type Addresses = { address: string; family: number }[]
export type ResolveHost = (host: string) => Promise<Addresses>

/** The host has a private address, which this server may not call. */
export class PrivateAddress extends Error {
  override name = 'PrivateAddress'
}

/**
 * The addresses of a host that this server may connect to. Resolve once and connect to these, against DNS rebinding. Throws `PrivateAddress`
 * if one of them is private and that is not allowed, and the error of the lookup.
 */
export async function addressesOf(
  hostname: string,
  { allowPrivate, resolve = (host) => lookup(host, { all: true }) }: { allowPrivate: boolean; resolve?: ResolveHost },
): Promise<Addresses> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const family = isIP(host)
  const found = family ? [{ address: host, family }] : await resolve(host)
  if (found.length === 0) throw Object.assign(new Error('no address'), { code: 'ENOTFOUND' })
  if (!allowPrivate && found.some(({ address }) => isPrivate(address))) throw new PrivateAddress('private address')
  return found
}
