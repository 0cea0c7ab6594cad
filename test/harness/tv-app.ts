import { createAppLogin } from '#features/devices/contract.ts'
import type { SignedIn, TestApp } from './app.ts'

/** Creates a customer's TV app with its own credentials. It sends no cookies and no Origin. */
export async function newTvApp({ client }: Pick<TestApp, 'client'>, viewer: SignedIn, ip = '127.0.0.1') {
  const login = await viewer.client.call(createAppLogin, { body: { name: 'Kodi' } })
  const { username, password } = login
  const tv = client({ ip })
  const get = (path: string, headers = {}) => tv.request(path, { headers: { origin: null, ...headers } })
  return {
    login,
    get,
    /** The answer of the player API. */
    api: async (query = '') => (await get(`/player_api.php?username=${username}&password=${password}${query}`)).json(),
    /** The answer of the playlist. */
    list: (query = '') => get(`/get.php?username=${username}&password=${password}${query}`),
    live: (file: number | string) => get(`/live/${username}/${password}/${file}`),
  }
}
