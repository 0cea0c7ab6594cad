/** Ways to write the address of an endpoint so that a guard that reads texts might miss it. */
type PathVariant = { name: string; write: (path: string) => string }

/** After the first word of it, `/api` or another. */
const inside = (path: string, text: string) => path.replace(/^(\/[^/]+)\//, `$1${text}`)
const last = (path: string, text: string) => path.replace(/\/([^/]*)$/, `${text}$1`)

/** Another address or an invalid one: it never returns the data of the endpoint, not even to administrators. */
export const invalidPaths: PathVariant[] = [
  { name: 'two slashes before it', write: (path) => `/${path}` },
  { name: 'two slashes in it', write: (path) => inside(path, '//') },
  { name: 'a slash after it', write: (path) => `${path}/` },
  { name: 'a slash and a dot coded after it', write: (path) => `${path}%2f.` },
  { name: 'a coded slash at its end', write: (path) => last(path, '%2f') },
  { name: 'a coded slash in it', write: (path) => inside(path, '%2F') },
  { name: 'a slash coded twice', write: (path) => last(path, '%252f') },
  { name: 'in capitals', write: (path) => path.toUpperCase() },
  { name: 'a parameter after it', write: (path) => `${path};x=1` },
  { name: 'a parameter in it', write: (path) => inside(path, ';x/') },
  { name: 'dots with a parameter', write: (path) => `/api/plans/..;${path}` },
  { name: 'coded dots and slashes', write: (path) => `/api/plans/..%2f..%2f${path.slice(1)}` },
  { name: 'a backslash in it', write: (path) => inside(path, '\\') },
  { name: 'a NUL after it', write: (path) => `${path}%00` },
  { name: 'an ending', write: (path) => `${path}.json` },
  { name: 'a coded question mark after it', write: (path) => `${path}%3fx=1` },
]

/** Other spellings of the same address: each client gets the same answer as there. */
export const equivalentPaths: PathVariant[] = [
  { name: 'a dot before it', write: (path) => `/.${path}` },
  { name: 'a dot in it', write: (path) => inside(path, '/./') },
  { name: 'a way round', write: (path) => `/api/plans/../..${path}` },
  { name: 'a coded way round', write: (path) => `/api/plans/%2e%2e/%2E%2e${path}` },
  {
    name: 'a question that asks for an administrator',
    write: (path) => `${path}${path.includes('?') ? '&' : '?'}role=admin&isAdmin=true&_method=GET`,
  },
  { name: 'an absolute address', write: (path) => `http://admin.localhost${path}` },
]

/** Headers that say who asks, or what is asked, to servers that believe them. */
export const spoofedHeaders: Record<string, string>[] = [
  { 'x-forwarded-user': 'admin', 'x-remote-user': 'admin', 'x-user-id': '1', 'x-role': 'admin' },
  { authorization: `Basic ${btoa('admin:admin')}` },
  { authorization: 'Bearer admin' },
  { 'x-original-url': '/api/plans', 'x-rewrite-url': '/api/plans' },
  { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1', forwarded: 'for=127.0.0.1;host=localhost' },
]

export const otherMethods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND'] as const
export const methodOverrideHeaders = ['x-http-method-override', 'x-http-method', 'x-method-override'] as const
