type Credentials = { username: string; password: string }

/** The addresses to enter in a TV app. They contain its credentials. */
export function appAddresses(publicUrl: string, credentials: Credentials) {
  const query = new URLSearchParams(credentials).toString()
  return {
    server: publicUrl,
    playlistUrl: `${publicUrl}/get.php?${query}&type=m3u_plus&output=m3u8`,
    guideUrl: `${publicUrl}/xmltv.php?${query}`,
  }
}

/** The address of a channel for a TV app. */
export const channelAddress = (
  publicUrl: string,
  { username, password }: Credentials,
  channelId: number,
  extension: 'm3u8' | 'ts',
): string => `${publicUrl}/live/${username}/${password}/${channelId}.${extension}`
