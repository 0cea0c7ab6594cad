/** A way to rewrite the path of an endpoint that a guard comparing strings might miss. */
type PathVariant = { name: string; write: (path: string) => string }

/** Inserts `text` after the first segment of a path, such as `/api`. */
const inside = (path: string, text: string) => path.replace(/^(\/[^/]+)\//, `$1${text}`)
const last = (path: string, text: string) => path.replace(/\/([^/]*)$/, `${text}$1`)

/** Different or invalid paths: none returns the data of the endpoint, not even to administrators. */
export const invalidPaths: PathVariant[] = [
  { name: 'two leading slashes', write: (path) => `/${path}` },
  { name: 'two slashes inside', write: (path) => inside(path, '//') },
  { name: 'a trailing slash', write: (path) => `${path}/` },
  { name: 'a trailing encoded slash and a dot', write: (path) => `${path}%2f.` },
  { name: 'an encoded last slash', write: (path) => last(path, '%2f') },
  { name: 'an encoded slash inside', write: (path) => inside(path, '%2F') },
  { name: 'a doubly encoded slash', write: (path) => last(path, '%252f') },
  { name: 'upper case', write: (path) => path.toUpperCase() },
  { name: 'a trailing path parameter', write: (path) => `${path};x=1` },
  { name: 'a path parameter inside', write: (path) => inside(path, ';x/') },
  { name: 'dot segments with a path parameter', write: (path) => `/api/plans/..;${path}` },
  { name: 'encoded dot segments and slashes', write: (path) => `/api/plans/..%2f..%2f${path.slice(1)}` },
  { name: 'a backslash inside', write: (path) => inside(path, '\\') },
  { name: 'a trailing NUL', write: (path) => `${path}%00` },
  { name: 'a file extension', write: (path) => `${path}.json` },
  { name: 'a trailing encoded question mark', write: (path) => `${path}%3fx=1` },
]

/** Other spellings of the same path: each client gets the same response as for the original. */
export const equivalentPaths: PathVariant[] = [
  { name: 'a leading dot segment', write: (path) => `/.${path}` },
  { name: 'a dot segment inside', write: (path) => inside(path, '/./') },
  { name: 'a detour with dot segments', write: (path) => `/api/plans/../..${path}` },
  { name: 'a detour with encoded dot segments', write: (path) => `/api/plans/%2e%2e/%2E%2e${path}` },
  {
    name: 'a query that claims to be an administrator',
    write: (path) => `${path}${path.includes('?') ? '&' : '?'}role=admin&isAdmin=true&_method=GET`,
  },
  { name: 'an absolute URL', write: (path) => `http://admin.localhost${path}` },
]

/** Headers by which a client claims an identity or a path, for servers that trust them. */
export const spoofedHeaders: Record<string, string>[] = [
  { 'x-forwarded-user': 'admin', 'x-remote-user': 'admin', 'x-user-id': '1', 'x-role': 'admin' },
  { authorization: `Basic ${btoa('admin:admin')}` },
  { authorization: 'Bearer admin' },
  { 'x-original-url': '/api/plans', 'x-rewrite-url': '/api/plans' },
  { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1', forwarded: 'for=127.0.0.1;host=localhost' },
]

export const otherMethods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND'] as const
export const methodOverrideHeaders = ['x-http-method-override', 'x-http-method', 'x-method-override'] as const
