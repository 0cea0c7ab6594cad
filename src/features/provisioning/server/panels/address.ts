import { refusalError } from './refusals.ts'

/** A line's reference as one part of a path. What could lead elsewhere is nobody's line. */
export function pathSegment(ref: string): string {
  if (!/^[\w@+~-][\w.@+~-]{0,119}$/.test(ref)) throw refusalError('not_found')
  return encodeURIComponent(ref)
}

/** An address that may already name the file that answers: where calls go, and the file's name or the usual one. */
export function splitAddress(address: string, usual: string): { base: string; file: string } {
  const [, base, file] = /^(.*)\/([\w-]+\.php)$/.exec(address) ?? []
  return base && file ? { base, file } : { base: address, file: usual }
}
