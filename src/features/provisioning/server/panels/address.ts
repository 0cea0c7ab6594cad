import { refusalError } from './refusals.ts'

/** Encodes a line's reference as one path segment. Throws `not_found` for a reference that would change the path. */
export function pathSegment(ref: string): string {
  if (!/^[\w@+~-][\w.@+~-]{0,119}$/.test(ref)) throw refusalError('not_found')
  return encodeURIComponent(ref)
}

/** Splits an address that may end in a PHP file into the base address and the file; `defaultFile` if it names none. */
export function splitAddress(address: string, defaultFile: string): { base: string; file: string } {
  const [, base, file] = /^(.*)\/([\w-]+\.php)$/.exec(address) ?? []
  return base && file ? { base, file } : { base: address, file: defaultFile }
}
