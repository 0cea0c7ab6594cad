import type { LineLogin } from './contract.ts'

/**
 * What an app asks for besides username and password: the server (`server`) or a provider name from its list (`provider`); or one playlist URL that contains
 * the login (`playlist`).
 */
export type AppKind = 'server' | 'provider' | 'playlist'
type Login = Omit<LineLogin, 'password'> & { password: string | null }

/** The kinds of apps that work with a login, the most common first. */
export const appKinds = ({ server, xtream }: Pick<Login, 'server' | 'xtream'>): AppKind[] =>
  server === null ? ['provider'] : xtream ? ['server', 'provider', 'playlist'] : ['server', 'provider']

/** `text` is null while the password is hidden. */
type AppField = { name: string; text: string | null; isSecret?: boolean }

/** The fields that an app asks for, with their values. The URLs of the playlist and the program guide follow the Xtream protocol. */
export function appFields(kind: AppKind, { server, username, password }: Login, provider: string): AppField[] {
  if (kind === 'playlist') {
    const address = (file: string, more: Record<string, string> = {}) =>
      password && `${server?.replace(/\/+$/, '')}/${file}?${new URLSearchParams({ username, password, ...more })}`
    return [
      { name: 'Playlist address', text: address('get.php', { type: 'm3u_plus', output: 'ts' }), isSecret: true },
      { name: 'Program guide address', text: address('xmltv.php'), isSecret: true },
    ]
  }
  return [
    kind === 'server' ? { name: 'Server', text: server } : { name: 'Provider', text: provider },
    { name: 'Username', text: username },
    { name: 'Password', text: password, isSecret: true },
  ]
}
