/** Returns the redirect target after signing in (`/auth?redirect=`): a path on this site unchanged, `/` for anything else. */
export function safePath(target: unknown): string {
  if (typeof target !== 'string' || !/^\/(?![/\\])[\x21-\x7e]*$/.test(target) || target.includes('\\')) return '/'
  const url = new URL(target, 'http://site.invalid')
  const path = url.pathname + url.search + url.hash
  return url.origin === 'http://site.invalid' && !path.startsWith('//') ? path : '/'
}
